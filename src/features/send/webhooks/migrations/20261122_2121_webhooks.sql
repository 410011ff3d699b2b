-- Which events go where: a row for each kind of event and URL, of one domain or of the whole account.
create table webhooks (
  -- Orders the URLs of a kind.
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  -- Null: events of every domain of the account.
  domain_id text references sending_domains (id) on delete cascade,
  -- Of the account: rows with one URL and several kinds are one webhook.
  webhook_id text,
  description text not null default '',
  kind text not null,
  url_id bigint not null,
  created_at timestamptz not null
);
create unique index webhooks_own on webhooks (account_id, coalesce(domain_id, ''), kind, url_id);
create index webhooks_domain on webhooks (domain_id);
comment on table webhooks is 'features/webhooks';

-- The URLs of an account, with how they answered last.
create table webhook_urls (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  url text not null,
  -- Name and port, by which attempts are counted.
  host text not null,
  -- Starts URLs in events, where no setting says how the service is called.
  base_url text not null,
  -- Attempts in a row that failed, and that were answered 410.
  failures integer not null default 0,
  gone integer not null default 0,
  -- How the last attempt ended: see features/webhooks.
  last jsonb,
  succeeded_at timestamptz,
  -- Since then it is only asked now and then whether it answers again.
  paused_at timestamptz,
  probe_at timestamptz,
  -- Since then nothing is sent there.
  disabled_at timestamptz,
  -- Deliveries that ended undelivered because their time was over.
  dropped integer not null default 0,
  created_at timestamptz not null
);
create unique index webhook_urls_own on webhook_urls (account_id, url);
alter table webhooks add foreign key (url_id) references webhook_urls (id);
create index webhooks_url on webhooks (url_id);
comment on table webhook_urls is 'features/webhooks';

-- Events on their way to URLs, and how they arrived: seven days.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  url_id bigint not null references webhook_urls (id),
  kind text not null,
  domain text not null,
  -- The event's place in the log; a test has the id 0.
  event_at timestamptz not null,
  event_id bigint not null,
  is_test boolean not null default false,
  -- The delivery that this one repeats.
  replay_of bigint,
  state text not null check (state in ('waiting', 'delivered', 'rejected', 'failed', 'canceled')),
  created_at timestamptz not null,
  due_at timestamptz not null,
  taken_by text,
  taken_until timestamptz,
  -- Each attempt: see features/webhooks.
  attempts jsonb not null default '[]'
) with (fillfactor = 80);
create unique index webhook_deliveries_once on webhook_deliveries (url_id, event_id)
  where replay_of is null and not is_test;
create index webhook_deliveries_due on webhook_deliveries (url_id, due_at, id)
  where state = 'waiting' and taken_by is null;
create index webhook_deliveries_taken on webhook_deliveries (taken_until) where taken_by is not null;
create index webhook_deliveries_list on webhook_deliveries (account_id, id);
create index webhook_deliveries_age on webhook_deliveries (created_at);
comment on table webhook_deliveries is 'features/webhooks';

-- How far the log of events has been read for an account with webhooks.
create table webhook_cursors (
  account_id text primary key references accounts (id),
  at timestamptz not null,
  event_id bigint not null,
  -- Up to here it was read a second time, for events whose transactions ended late.
  checked_at timestamptz not null,
  -- Read again from then on.
  due_at timestamptz not null
);
create index webhook_cursors_due on webhook_cursors (due_at);
comment on table webhook_cursors is 'features/webhooks';
