-- What is to be ignored of an email, in all its versions, and why.
create table email_ignores (
  email_id text not null references emails (id) on delete cascade,
  account_id text not null references accounts (id),
  -- Of the rule and what it is about.
  cause text not null,
  rule text not null,
  reason text not null,
  -- The last day on which it is ignored, `2026-12-31`; null: until it is taken back.
  until text,
  created_at timestamptz not null,
  primary key (email_id, cause)
);
comment on table email_ignores is 'features/emails';
