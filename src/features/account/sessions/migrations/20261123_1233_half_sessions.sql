-- Who gave the right password and has yet to give a code. Only a digest of the token is kept; it opens nothing else.
create table half_sessions (
  digest bytea primary key,
  user_id text not null references users (id) on delete cascade,
  account_id text not null references accounts (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index half_sessions_user on half_sessions (user_id, created_at);
create index half_sessions_expiry on half_sessions (expires_at);
comment on table half_sessions is 'features/sessions';
