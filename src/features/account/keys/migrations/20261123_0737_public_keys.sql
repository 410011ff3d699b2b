-- The key of an account that stands in pages, where everybody reads it. Only a digest is kept.
create table public_keys (
  account_id text primary key references accounts (id),
  digest bytea not null unique,
  created_at timestamptz not null
);
comment on table public_keys is 'features/keys';
