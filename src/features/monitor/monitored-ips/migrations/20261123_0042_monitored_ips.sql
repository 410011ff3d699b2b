-- Sending addresses that are watched.
create table monitored_ips (
  account_id text not null references accounts (id),
  -- In its one spelling.
  ip text not null,
  ip_pool text not null,
  description text not null,
  created_at timestamptz not null,
  primary key (account_id, ip)
);
comment on table monitored_ips is 'features/monitored-ips';
