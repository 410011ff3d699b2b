-- Addresses of a parent account that a subaccount sends from, too. Such an address is in no pool.
create table subaccount_ips (
  -- The subaccount.
  account_id text not null references accounts (id),
  ip text not null references sending_ips (ip) on delete cascade,
  linked_at timestamptz not null,
  primary key (account_id, ip)
);
create index subaccount_ips_ip on subaccount_ips (ip);
comment on table subaccount_ips is 'features/sending-ips';
