-- The address of an account: a message that arrives there becomes a preview test.
create table preview_addresses (
  account_id text primary key references accounts (id),
  local_part text not null unique,
  created_at timestamptz not null
);
comment on table preview_addresses is 'features/preview-address';
