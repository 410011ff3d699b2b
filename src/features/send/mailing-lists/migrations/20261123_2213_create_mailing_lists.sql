-- A mailing list: what is sent to its address goes to its members.
create table mailing_lists (
  id text primary key,
  account_id text not null references accounts (id),
  -- In lower case, the domain in its xn-- form; by bytes, so that one index serves pages and questions alike.
  address text collate "C" not null,
  name text not null,
  description text not null,
  access_level text not null check (access_level in ('readonly', 'members', 'everyone')),
  reply_preference text not null check (reply_preference in ('list', 'sender')),
  -- Of the field List-Id (RFC 2919), where it is not made of the address.
  list_id text,
  -- Counted with each change, under a lock of this row.
  members_count integer not null default 0,
  created_at timestamptz not null,
  unique (account_id, address)
);
comment on table mailing_lists is 'features/mailing-lists';

create table mailing_list_members (
  list_id text not null references mailing_lists on delete cascade,
  account_id text not null references accounts (id),
  address text collate "C" not null,
  name text not null,
  vars jsonb not null,
  is_subscribed boolean not null,
  created_at timestamptz not null,
  primary key (list_id, address)
);
create index mailing_list_members_subscribed on mailing_list_members (list_id, address) where is_subscribed;
comment on table mailing_list_members is 'features/mailing-lists';

-- Members that came in one call; `task-id` on the wire.
create table mailing_list_uploads (
  id text primary key,
  list_id text not null references mailing_lists on delete cascade,
  account_id text not null references accounts (id),
  format text not null check (format in ('json', 'csv')),
  is_upsert boolean not null,
  -- Of members who are new, where their entry does not say.
  is_subscribed boolean not null,
  -- Entries that were read, and rows that were none.
  given integer not null,
  skipped integer not null,
  problems jsonb not null,
  -- What has become of the entries so far.
  added integer not null default 0,
  updated integer not null default 0,
  -- Members already, and not to be changed.
  kept integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index mailing_list_uploads_age on mailing_list_uploads (created_at);
create index mailing_list_uploads_list on mailing_list_uploads (list_id, created_at desc);
comment on table mailing_list_uploads is 'features/mailing-lists';

-- Entries that are yet to be written, a thousand a row; a row goes with its entries.
create table mailing_list_upload_parts (
  upload_id text not null references mailing_list_uploads on delete cascade,
  account_id text not null references accounts (id),
  place integer not null,
  -- JSON, as text: the database alone reads it.
  entries text not null,
  primary key (upload_id, place)
);
comment on table mailing_list_upload_parts is 'features/mailing-lists';
