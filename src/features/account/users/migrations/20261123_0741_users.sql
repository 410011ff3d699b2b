-- People who sign in. Of a password only what is slow to guess from is kept.
create table users (
  id text primary key,
  account_id text not null references accounts (id),
  -- In lower case, one user each in the whole deployment. Who is deleted has none.
  email text unique,
  name text not null,
  role text not null check (role in ('basic', 'billing', 'support', 'developer', 'admin')),
  -- Argon2id, in the notation of other programs.
  password_hash text,
  password_updated_at timestamptz,
  -- Whoever was first in the account.
  is_master boolean not null,
  -- From where the invitation was accepted.
  opened_ip text,
  -- When the user signed in first, or accepted the invitation.
  activated_at timestamptz,
  disabled_at timestamptz,
  deleted_at timestamptz,
  last_sign_in_at timestamptz,
  -- How: password, passkey or sso.
  last_sign_in_by text,
  prior_sign_in_by text,
  -- Networks of the last sign-ins: the wrong passwords of others do not stop who comes from one of them.
  networks jsonb not null,
  -- Why the last email to the user was not delivered.
  mail_problem text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index users_account on users (account_id, created_at, id);
comment on table users is 'features/users';

-- Links in emails: invitations, and new passwords. Used once; only a digest is kept.
create table user_links (
  digest bytea primary key,
  user_id text not null references users (id) on delete cascade,
  account_id text not null references accounts (id),
  kind text not null check (kind in ('invitation', 'reset')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index user_links_user on user_links (user_id);
create index user_links_expiry on user_links (expires_at);
comment on table user_links is 'features/users';
