-- Alerts on how sending goes.
create table send_alerts (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  description text not null,
  metric text not null check (metric in ('hard_bounce_rate', 'temporary_fail_rate', 'delivered_rate', 'complained_rate')),
  comparator text not null check (comparator in ('=', '!=', '<', '<=', '>', '>=')),
  -- As it was given: a share from 0 to 1.
  bound text not null,
  dimension text not null check (dimension in ('domain', 'ip', 'ip_pool', 'recipient_provider', 'subaccount')),
  filters jsonb not null,
  -- As it was given, and what it is.
  period text not null,
  period_minutes integer not null,
  alert_channels jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_checked timestamptz,
  -- When it is looked at next.
  due_at timestamptz not null
);
create unique index send_alerts_name on send_alerts (account_id, name);
create index send_alerts_due on send_alerts (due_at);
comment on table send_alerts is 'features/thresholds';

-- Where one was crossed: a row for each value of its dimension.
create table threshold_hits (
  id text primary key,
  account_id text not null references accounts (id),
  alert_id text not null references send_alerts (id) on delete cascade,
  dimension_value text not null,
  triggered boolean not null,
  latest_value text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index threshold_hits_value on threshold_hits (alert_id, dimension_value);
create index threshold_hits_list on threshold_hits (account_id, created_at);
create index threshold_hits_expiry on threshold_hits (expires_at);
comment on table threshold_hits is 'features/thresholds';
