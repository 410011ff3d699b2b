-- Addresses that mail may leave from. A process that can bind one of its configuration's says so, and again and again.
create table sending_ips (
  -- As it is written shortest.
  ip text primary key,
  -- Whose it is; a shared one may be used by every account.
  account_id text not null references accounts (id),
  is_shared boolean not null,
  -- What the address greets with (EHLO).
  host_name text not null,
  -- An address is in one pool at most.
  pool_id text,
  -- The name that reverse DNS gave last; empty: none.
  rdns text not null default '',
  -- Whether that is the host name, and the host name has this address.
  rdns_state text not null default 'unknown' check (rdns_state in ('unknown', 'valid', 'invalid')),
  -- What is wrong, in words.
  rdns_fault text not null default '',
  checked_at timestamptz,
  -- A running process can send from it until then, unless it says so again.
  bound_until timestamptz not null,
  created_at timestamptz not null
);
create index sending_ips_account on sending_ips (account_id);
create index sending_ips_pool on sending_ips (pool_id) where pool_id is not null;
comment on table sending_ips is 'features/sending-ips';
