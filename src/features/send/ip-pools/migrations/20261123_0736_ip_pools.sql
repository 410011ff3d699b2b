-- Addresses that are used together. A dynamic pool takes the domains whose reputation is in its band.
create table ip_pools (
  id text primary key,
  account_id text not null references accounts (id),
  kind text not null check (kind in ('dedicated', 'dynamic')),
  name text not null,
  description text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index ip_pools_account on ip_pools (account_id, created_at);
create unique index ip_pools_dynamic on ip_pools (account_id, name) where kind = 'dynamic';
comment on table ip_pools is 'features/ip-pools';

alter table sending_ips add foreign key (pool_id) references ip_pools (id);

-- What a domain sends from: a pool, or addresses of its own; neither: what its account has.
create table domain_pools (
  domain_id text primary key references sending_domains (id) on delete cascade,
  account_id text not null references accounts (id),
  pool_id text not null references ip_pools (id),
  linked_at timestamptz not null
);
create index domain_pools_pool on domain_pools (pool_id);
create index domain_pools_account on domain_pools (account_id);
comment on table domain_pools is 'features/ip-pools';
create table domain_ips (
  domain_id text not null references sending_domains (id) on delete cascade,
  account_id text not null references accounts (id),
  ip text not null references sending_ips (ip) on delete cascade,
  created_at timestamptz not null,
  primary key (domain_id, ip)
);
create index domain_ips_ip on domain_ips (ip);
create index domain_ips_account on domain_ips (account_id);
comment on table domain_ips is 'features/ip-pools';

-- The pool of its parent that a subaccount sends from.
create table ip_pool_delegations (
  -- The subaccount.
  account_id text primary key references accounts (id),
  pool_id text not null references ip_pools (id),
  delegated_at timestamptz not null
);
create index ip_pool_delegations_pool on ip_pool_delegations (pool_id);
comment on table ip_pool_delegations is 'features/ip-pools';
