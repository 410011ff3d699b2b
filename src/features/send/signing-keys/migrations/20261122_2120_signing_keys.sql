-- The key that signs an account's webhooks.
create table signing_keys (
  account_id text primary key references accounts (id),
  -- Encrypted by platform/secrets for the purpose webhooks:<account>.
  sealed text not null,
  created_at timestamptz not null
);
comment on table signing_keys is 'features/signing-keys';
