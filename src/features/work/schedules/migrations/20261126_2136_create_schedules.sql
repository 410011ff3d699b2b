-- What is to be done at which time of the week; `request` is the body that the task's own endpoint takes.
create table schedules (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  task text not null check (task in ('gate', 'placement', 'page')),
  request jsonb not null,
  time_zone text not null,
  weekdays jsonb not null,
  minutes integer not null,
  is_on boolean not null,
  next_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index schedules_page on schedules (account_id, created_at desc, id desc);
create index schedules_due on schedules (next_at) where next_at is not null;
comment on table schedules is 'features/schedules';

create table schedule_runs (
  id text primary key,
  schedule_id text not null references schedules (id) on delete cascade,
  account_id text not null references accounts (id),
  state text not null
    check (state in ('running', 'passed', 'failed', 'first', 'unchanged', 'changed', 'complete', 'error')),
  message text not null,
  -- The gate or the placement result that the run started.
  resource_id text,
  change jsonb,
  started_at timestamptz not null,
  ended_at timestamptz
);
create index schedule_runs_page on schedule_runs (schedule_id, started_at desc, id desc);
create index schedule_runs_resource on schedule_runs (account_id, resource_id) where resource_id is not null;
create index schedule_runs_age on schedule_runs (started_at);
comment on table schedule_runs is 'features/schedules';

-- The text of a watched page when it was last read.
create table schedule_pages (
  schedule_id text primary key references schedules (id) on delete cascade,
  account_id text not null references accounts (id),
  url text not null,
  page_text text not null,
  read_at timestamptz not null
);
comment on table schedule_pages is 'features/schedules';
