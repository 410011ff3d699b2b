-- Emails, each with its versions. The bytes of a version are kept with all messages of the account (`messages`).
create table emails (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  folder text not null default '',
  tags jsonb not null default '[]',
  -- The user who made it; null: a key of no user did. The user may be gone.
  owner_id text,
  -- The number of the newest version, and its subject.
  version integer not null,
  subject text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index emails_page on emails (account_id, updated_at desc, id desc);
comment on table emails is 'features/emails';

create table email_versions (
  email_id text not null references emails (id) on delete cascade,
  account_id text not null references accounts (id),
  number integer not null,
  -- SHA-256 of the bytes, and of everything that the version says.
  digest text not null,
  fingerprint text not null,
  kind text not null check (kind in ('html', 'url', 'mime')),
  url text,
  origin text not null check (origin in ('paste', 'file', 'url', 'template', 'sandbox')),
  subject text not null,
  -- What goes with HTML: the text part and the sender. Null: not given, or in the message itself.
  plain_text text,
  sender text,
  size_bytes integer not null,
  created_at timestamptz not null,
  primary key (email_id, number)
);
create index email_versions_account on email_versions (account_id);
comment on table email_versions is 'features/emails';

-- Tests that were started from a version; each may be deleted on its own.
create table email_tests (
  email_id text not null,
  number integer not null,
  account_id text not null references accounts (id),
  kind text not null,
  test_id text not null,
  -- The preview test whose check it is.
  preview_id text,
  created_at timestamptz not null,
  primary key (email_id, number, kind, test_id),
  foreign key (email_id, number) references email_versions (email_id, number) on delete cascade
);
comment on table email_tests is 'features/emails';
