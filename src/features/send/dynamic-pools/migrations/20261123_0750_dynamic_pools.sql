-- Domains that send from the pool of their reputation.
create table dynamic_pool_domains (
  domain_id text primary key references sending_domains (id) on delete cascade,
  account_id text not null references accounts (id),
  -- Whose pools they are: the account, or its parent.
  owner_id text not null references accounts (id),
  band text not null check (band in ('good', 'poor', 'new')),
  -- When it came into the band.
  banded_at timestamptz not null,
  -- It was put there by hand, and checks leave it there.
  is_override boolean not null,
  enrolled_at timestamptz not null,
  -- What the last check found: shares from 0 to 1, and in words.
  bounce_rate double precision,
  complaint_rate double precision,
  processed_count integer not null,
  reason text not null,
  checked_at timestamptz not null,
  -- When it is checked next.
  due_at timestamptz not null
);
create index dynamic_pool_domains_account on dynamic_pool_domains (account_id);
create index dynamic_pool_domains_owner on dynamic_pool_domains (owner_id);
create index dynamic_pool_domains_due on dynamic_pool_domains (due_at);
comment on table dynamic_pool_domains is 'features/dynamic-pools';

-- When domains came into which band, and why. The names stay when the domain is gone.
create table dynamic_pool_moves (
  id text primary key,
  account_id text not null references accounts (id),
  owner_id text not null references accounts (id),
  domain_id text not null,
  domain_name text not null,
  -- Empty: out of the pools.
  new_band text not null check (new_band in ('good', 'poor', 'new', '')),
  prev_band text not null check (prev_band in ('good', 'poor', 'new', '')),
  reason text not null,
  bounce_rate double precision,
  complaint_rate double precision,
  processed_count integer,
  initiated_by text not null,
  at timestamptz not null
);
create index dynamic_pool_moves_owner on dynamic_pool_moves (owner_id, at, id);
create index dynamic_pool_moves_account on dynamic_pool_moves (account_id, at, id);
create index dynamic_pool_moves_domain on dynamic_pool_moves (domain_id, at);
create index dynamic_pool_moves_expiry on dynamic_pool_moves (at);
comment on table dynamic_pool_moves is 'features/dynamic-pools';
