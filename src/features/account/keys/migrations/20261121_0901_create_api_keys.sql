-- API keys. Only a digest is kept: the key is shown once, when it is made.
create table api_keys (
  id text primary key,
  account_id text not null references accounts (id),
  digest bytea not null unique,
  description text not null,
  role text not null check (role in ('admin', 'developer', 'support')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_account on api_keys (account_id, created_at);
comment on table api_keys is 'features/keys';
