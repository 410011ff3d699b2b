-- Inboxes that programs under development send to: what comes here is delivered to nobody.
create table sandbox_inboxes (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  smtp_user text not null unique,
  -- What recognizes the password: a code of it that only this service can make.
  password_code text not null,
  messages_max integer not null,
  retention_days integer not null,
  -- Grows with every change of what is in it.
  revision integer not null,
  message_count integer not null,
  size_bytes integer not null,
  -- Messages that made room for others, all in all, and when the last one did.
  dropped_count integer not null,
  dropped_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (account_id, name)
);
create index sandbox_inboxes_page on sandbox_inboxes (account_id, created_at desc, id desc);
comment on table sandbox_inboxes is 'features/sandbox-inboxes';

create table sandbox_messages (
  id text primary key,
  account_id text not null references accounts (id),
  inbox_id text not null references sandbox_inboxes (id) on delete cascade,
  -- The revision of the inbox that the message made: its place in the order of arrival.
  number integer not null,
  -- Of its bytes, which are kept with those of other messages.
  digest text not null,
  size_bytes integer not null,
  method text not null check (method in ('SMTP', 'HTTP')),
  remote_address text not null,
  mail_from text not null,
  recipients jsonb not null,
  header_from text not null,
  header_to text not null,
  subject text not null,
  excerpt text not null,
  attachment_count integer not null,
  -- To search in, all in lower case. Each address stands on a line of its own.
  addresses text not null,
  words text not null,
  header text not null,
  received_at timestamptz not null,
  expires_at timestamptz not null,
  unique (inbox_id, number)
);
create index sandbox_messages_account on sandbox_messages (account_id);
create index sandbox_messages_expiry on sandbox_messages (expires_at);
comment on table sandbox_messages is 'features/sandbox-inboxes';
