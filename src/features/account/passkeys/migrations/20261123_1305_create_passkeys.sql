-- Keys in people's devices, with which they sign in. The private half never leaves the device.
create table passkeys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  account_id text not null references accounts (id),
  -- What the device calls it.
  credential_id bytea not null unique,
  -- SubjectPublicKeyInfo, and the number of its algorithm at IANA (COSE).
  public_key bytea not null,
  algorithm integer not null,
  -- Of signatures, where the device counts them; 0 where it does not.
  counter bigint not null,
  name text not null,
  -- The domain of the dashboard when it was made: it works there alone.
  domain text not null,
  -- Whether the device keeps a copy elsewhere, such as in its maker's account.
  is_backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, created_at);
comment on table passkeys is 'features/passkeys';

-- Challenges that were answered: none is good twice. Those that nobody answered are not kept.
create table used_passkey_challenges (
  digest bytea primary key,
  expires_at timestamptz not null
);
create index used_passkey_challenges_expiry on used_passkey_challenges (expires_at);
comment on table used_passkey_challenges is 'features/passkeys';
