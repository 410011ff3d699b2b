-- Copies of accepted messages for the archives of their senders: what waits to be posted, and how it went.
create table archive_copies (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  -- One message has one copy.
  message_id bigint not null unique references sent_messages (id) on delete cascade,
  domain text not null,
  url text not null,
  -- `captured`: the message stayed on this machine, and so did its copy.
  state text not null check (state in ('waiting', 'delivered', 'rejected', 'failed', 'captured')),
  attempts jsonb not null,
  due_at timestamptz not null,
  created_at timestamptz not null
);
create index archive_copies_due on archive_copies (due_at) where state = 'waiting';
create index archive_copies_newest on archive_copies (account_id, id desc);
comment on table archive_copies is 'features/archive-copies';
