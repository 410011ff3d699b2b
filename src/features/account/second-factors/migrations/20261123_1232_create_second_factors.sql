-- What a user's authenticator app makes codes from, encrypted.
create table second_factors (
  user_id text primary key references users (id) on delete cascade,
  account_id text not null references accounts (id),
  sealed_secret text not null,
  -- When a code proved that the app has the secret; nothing asks for codes before.
  confirmed_at timestamptz,
  -- The half minute, counted since 1970, of the last code that was used: no code is good twice.
  last_step integer not null,
  created_at timestamptz not null
);
comment on table second_factors is 'features/second-factors';

-- Codes for whoever lost the app, each good once. Only a digest is kept, made with the service's key.
create table recovery_codes (
  user_id text not null references second_factors (user_id) on delete cascade,
  account_id text not null references accounts (id),
  digest bytea not null,
  primary key (user_id, digest)
);
comment on table recovery_codes is 'features/second-factors';
