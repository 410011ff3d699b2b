-- One row for each call of the sending API: what is the same for all of its recipients.
create table sent_messages (
  id bigint generated always as identity primary key,
  -- Names it on the wire; random.
  key text not null unique,
  account_id text not null references accounts (id),
  -- By name: events outlive a domain that is deleted.
  domain text not null,
  -- Without brackets.
  message_id text not null,
  -- The address of the envelope, and the fields of the header as they read.
  sender text not null,
  header_from text not null,
  header_to text not null,
  subject text not null,
  -- By their position; each address once.
  recipients text[] not null,
  tags text[] not null,
  user_variables jsonb not null,
  options jsonb not null,
  attachments jsonb not null,
  -- What became of messages of the sending API when it was accepted.
  mode text not null check (mode in ('capture', 'live')),
  method text not null check (method in ('HTTP', 'SMTP')),
  api_key_id text,
  originating_ip text,
  size_bytes integer not null,
  -- The parts, packed: here, or with the bytes of messages under this digest. Neither: their time has ended.
  content bytea,
  content_digest text,
  content_expires_at timestamptz not null,
  created_at timestamptz not null
);
create index sent_messages_message_id on sent_messages (account_id, message_id);
create index sent_messages_created on sent_messages (account_id, created_at desc);
create index sent_messages_expiring on sent_messages (content_expires_at)
  where content is not null or content_digest is not null;
create index sent_messages_age on sent_messages (created_at);
create index sent_messages_tags on sent_messages using gin (tags);
comment on table sent_messages is 'features/messages';

-- The queue, a row for each recipient; a row goes when it is settled.
create table deliveries (
  id bigint generated always as identity primary key,
  message_id bigint not null references sent_messages on delete cascade,
  -- In the message's recipients.
  position integer not null,
  account_id text not null references accounts (id),
  domain text not null,
  recipient text not null,
  -- The recipient's domain in lower case, in its xn-- form.
  destination text not null,
  -- The addresses that may send it; empty: any.
  pool_id text not null default '',
  -- 0 transactional, 1 ordinary, 2 bulk.
  lane smallint not null,
  due_at timestamptz not null,
  give_up_at timestamptz not null,
  is_taken boolean not null default false,
  taken_by text,
  taken_until timestamptz,
  attempts integer not null default 0,
  first_at timestamptz,
  -- How the last attempt ended.
  last jsonb,
  variables jsonb
) with (fillfactor = 80);
create index deliveries_turns on deliveries (account_id, due_at, id) where not is_taken;
create index deliveries_taken on deliveries (taken_until) where is_taken;
create index deliveries_message on deliveries (message_id);
create index deliveries_domain on deliveries (account_id, domain) where not is_taken;
comment on table deliveries is 'features/messages';

-- What was answered to a call that named a key: for 24 hours the same call is answered so again.
create table idempotency_keys (
  account_id text not null references accounts (id),
  key text not null,
  body_hash text not null,
  answer jsonb not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
comment on table idempotency_keys is 'features/messages';
