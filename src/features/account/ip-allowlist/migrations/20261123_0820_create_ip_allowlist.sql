-- The addresses from which an account, its keys and its logins are used. Without a row, from anywhere.
create table ip_allowlist_entries (
  account_id text not null,
  -- As `203.0.113.7` or `2001:db8::/32`: one spelling for each network.
  address text not null,
  description text not null,
  created_at timestamptz not null,
  primary key (account_id, address)
);
comment on table ip_allowlist_entries is 'features/ip-allowlist';
