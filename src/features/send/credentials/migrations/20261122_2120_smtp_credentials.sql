-- Logins of submission by SMTP, each for one domain.
create table smtp_credentials (
  domain_id text not null references sending_domains (id) on delete cascade,
  account_id text not null references accounts (id),
  -- The whole address, in lower case: ann@mail.example.com.
  login text not null,
  -- What scrypt made of the password.
  password_hash text not null,
  is_system boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (domain_id, login)
);
create index smtp_credentials_login on smtp_credentials (login);
create index smtp_credentials_account on smtp_credentials (account_id);
comment on table smtp_credentials is 'features/credentials';
