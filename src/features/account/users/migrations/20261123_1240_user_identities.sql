-- Who a user is at a provider of single sign-on: by its name for the person, which stays when an address changes.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users (id) on delete cascade,
  account_id text not null references accounts (id),
  -- The address that linked them.
  email text not null,
  created_at timestamptz not null,
  primary key (issuer, subject),
  unique (user_id, issuer)
);
create index user_identities_account on user_identities (account_id);
comment on table user_identities is 'features/users';
