-- How many failures there were of each rule and each receiver, by hour and by day. `grouping`: what a row tells apart
-- beside its columns: 0 nothing, 1 each tag of the message, 2 the recipient's domain (by day only); `detail` is that tag
-- or that domain. `rule` and `entity` are of data/bounce-classes.
create table bounce_figures (
  account_id text not null,
  is_hourly boolean not null,
  "grouping" smallint not null,
  at timestamptz not null,
  rule text not null,
  entity text not null,
  is_permanent boolean not null,
  domain text not null,
  provider text not null,
  ip text not null,
  ip_pool text not null,
  detail text not null,
  n bigint not null,
  primary key (
    account_id, is_hourly, "grouping", at, rule, entity, is_permanent, domain, provider, ip, ip_pool, detail
  )
);
create index bounce_figures_age on bounce_figures (is_hourly, at);
comment on table bounce_figures is 'features/bounce-classification';

-- Some of the replies of each rule and each receiver, the latest in each place.
create table bounce_samples (
  account_id text not null,
  rule text not null,
  entity text not null,
  place smallint not null,
  reply text not null,
  at timestamptz not null,
  primary key (account_id, rule, entity, place)
);
create index bounce_samples_age on bounce_samples (at);
comment on table bounce_samples is 'features/bounce-classification';
