-- One inspection of an email or of parts of one: its input is an object, its result is here.
create table inspections (
  id text primary key,
  account_id text not null references accounts (id),
  kind text not null,
  status text not null check (status in ('Processing', 'Complete', 'Failed')),
  version integer not null default 1,
  -- What a list shows of it.
  summary jsonb not null default '{}',
  result jsonb,
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null
);
create index inspections_page on inspections (account_id, kind, created_at desc, id desc);
create index inspections_expiry on inspections (expires_at);
comment on table inspections is 'features/inspections';
