-- How many messages may leave in an hour or a day.
create table sending_limits (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  scope text not null check (scope in ('account', 'domain', 'provider')),
  -- Of the domain, the provider; empty for the account.
  name text not null,
  period text not null check (period in ('hour', 'day')),
  max_messages integer not null,
  updated_at timestamptz not null,
  unique (account_id, scope, name, period)
);
comment on table sending_limits is 'features/sending-limits';

-- What left under a limit in a window of it.
create table sending_limit_windows (
  limit_id bigint not null references sending_limits on delete cascade,
  account_id text not null references accounts (id),
  starts_at timestamptz not null,
  used integer not null,
  primary key (limit_id, starts_at)
);
create index sending_limit_windows_age on sending_limit_windows (starts_at);
comment on table sending_limit_windows is 'features/sending-limits';
