-- What is the matter: a row from the first occurrence until it is over. What passes by itself is over once it is told.
create table alerts (
  id text primary key,
  account_id text not null references accounts (id),
  event text not null,
  -- What it is about. Of one account, event and subject one alert is open.
  subject text not null,
  data jsonb not null,
  -- How often it was raised while it was open.
  count integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the channels are told, of its beginning or of its end; null: nothing is to be told.
  due_at timestamptz,
  told_at timestamptz,
  over_at timestamptz
);
create unique index alerts_open on alerts (account_id, event, subject) where over_at is null;
create index alerts_list on alerts (account_id, created_at, id);
create index alerts_subject on alerts (account_id, event, subject, told_at);
create index alerts_due on alerts (due_at) where due_at is not null;
comment on table alerts is 'features/alerts';

-- Which events go to which channel.
create table alert_settings (
  id text primary key,
  account_id text not null references accounts (id),
  event_type text not null,
  channel text not null check (channel in ('email', 'webhook', 'slack')),
  settings jsonb not null,
  -- Addresses, URLs and channels to which nothing goes any more, each with since when and why.
  disabled_targets jsonb not null default '{}',
  -- Since then it has no other targets.
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index alert_settings_list on alert_settings (account_id, event_type);
comment on table alert_settings is 'features/alerts';

-- What an account says for all of its settings.
create table alert_accounts (
  account_id text primary key references accounts (id),
  -- Null: none.
  quiet_hours jsonb,
  -- Encrypted by platform/secrets for the purpose alerts-slack:<account>.
  slack_token text,
  slack_team jsonb
);
comment on table alert_accounts is 'features/alerts';

-- Alerts on their way to an address, a URL or a channel, and how they arrived: thirty days.
create table alert_deliveries (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  setting_id text not null references alert_settings (id) on delete cascade,
  alert_id text not null references alerts (id) on delete cascade,
  target text not null,
  event_data jsonb not null,
  state text not null check (state in ('waiting', 'delivered', 'failed', 'canceled')),
  created_at timestamptz not null,
  due_at timestamptz not null,
  taken_until timestamptz,
  -- Each attempt: see platform/posting.
  attempts jsonb not null default '[]'
);
create index alert_deliveries_due on alert_deliveries (due_at) where state = 'waiting';
create index alert_deliveries_setting on alert_deliveries (setting_id);
create index alert_deliveries_alert on alert_deliveries (alert_id);
create index alert_deliveries_age on alert_deliveries (created_at);
comment on table alert_deliveries is 'features/alerts';
