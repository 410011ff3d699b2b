-- Keys that take each other's place by themselves: which one is to sign next, and until when an older one is published.
alter table dkim_keys add column is_next boolean not null default false;
-- Of the next one: since when DNS has shown its record.
alter table dkim_keys add column seen_at timestamptz;
-- When it began to sign; null: when it was made.
alter table dkim_keys add column signs_since timestamptz;
alter table dkim_keys add column retires_at timestamptz;
create table dkim_rotations (
  domain_id text primary key references sending_domains (id) on delete cascade,
  account_id text not null references accounts (id),
  is_enabled boolean not null,
  interval_days integer not null,
  -- When somebody looks next whether there is something to do.
  due_at timestamptz not null
);
create index dkim_rotations_due on dkim_rotations (due_at);
comment on table dkim_rotations is 'features/sending-domains';
