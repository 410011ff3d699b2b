-- How many uses of something an account lets through in a window of time, for itself or for its subaccounts.
create table limits (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  description text not null,
  metric text not null,
  -- As it was given; each of them lets through as many.
  comparator text not null check (comparator in ('=', '>', '>=')),
  max_uses integer not null,
  period text not null check (period in ('hour', 'day', 'month')),
  dimension text not null,
  -- As they were given.
  filters jsonb not null,
  -- The accounts that the filters leave: these (null: all) without those.
  includes text[],
  excludes text[] not null,
  -- Null: all channels.
  alert_channels jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index limits_name on limits (account_id, name);
comment on table limits is 'features/limits';

-- What an account says for all of its limits.
create table limit_settings (
  account_id text primary key references accounts (id),
  alert_channels jsonb not null,
  -- Shares of a limit, in percent, at which the account is told.
  first_warning integer not null,
  second_warning integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table limit_settings is 'features/limits';

-- How often an account used what limits are set on, in windows of UTC hours, days and months.
create table uses (
  account_id text not null references accounts (id),
  metric text not null,
  period text not null check (period in ('hour', 'day', 'month')),
  starts_at timestamptz not null,
  used bigint not null,
  primary key (account_id, metric, period, starts_at)
);
create index uses_age on uses (starts_at);
comment on table uses is 'features/limits';
