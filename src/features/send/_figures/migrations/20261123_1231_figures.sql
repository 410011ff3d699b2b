-- How many events there were, by hour and by day. `grouping`: what a row tells apart beside its columns: 0 nothing, 1 each
-- tag of the message, 2 the recipient's domain (by day only); `detail` is that tag or that domain. `counter`: a place in
-- the list of features/send/_figures/counters.ts.
create table figure_hours (
  account_id text not null,
  "grouping" smallint not null,
  at timestamptz not null,
  counter smallint not null,
  domain text not null,
  provider text not null,
  ip text not null,
  ip_pool text not null,
  country text not null,
  device text not null,
  bot text not null,
  detail text not null,
  n bigint not null,
  primary key (account_id, "grouping", at, counter, domain, provider, ip, ip_pool, country, device, bot, detail)
);
comment on table figure_hours is 'features/figures';
create index figure_hours_age on figure_hours (at);
create table figure_days (like figure_hours including all);
comment on table figure_days is 'features/figures';

-- Who opened or clicked, the first time: what is unique is counted by them.
create table figure_firsts (
  account_id text not null,
  message_id bigint not null,
  recipient text not null,
  event smallint not null,
  at timestamptz not null,
  primary key (account_id, message_id, recipient, event)
);
create index figure_firsts_age on figure_firsts (at);
comment on table figure_firsts is 'features/figures';

-- The tags that messages of a domain have had.
create table tags (
  account_id text not null,
  domain text not null,
  -- In lower case, as it is compared; `name` as it was first written.
  tag text not null,
  name text not null,
  description text not null default '',
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (account_id, domain, tag)
);
comment on table tags is 'features/figures';
