-- Who is signed in to the dashboard. Only a digest of the cookie is kept.
create table sessions (
  id text primary key,
  digest bytea not null unique,
  key_id text not null references api_keys (id) on delete cascade,
  -- Of the key.
  account_id text not null references accounts (id),
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_account on sessions (account_id, created_at);
create index sessions_key on sessions (key_id, created_at);
create index sessions_expiry on sessions (expires_at);
comment on table sessions is 'features/sessions';
