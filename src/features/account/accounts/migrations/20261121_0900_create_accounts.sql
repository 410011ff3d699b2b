-- Accounts and subaccounts. A subaccount has a parent; only one level is allowed.
create table accounts (
  id text primary key,
  parent_id text references accounts (id),
  name text not null,
  region text not null check (region in ('us', 'eu')),
  status text not null default 'open' check (status in ('open', 'disabled', 'closed')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index accounts_parent on accounts (parent_id, created_at);
comment on table accounts is 'features/accounts';

-- Secrets that the deployment makes for itself, once.
create table deployment_secrets (
  name text primary key,
  secret bytea not null
);
comment on table deployment_secrets is 'features/accounts';
