-- A message to a list on its way to the members; it has reached those up to `place`.
create table mailing_list_postings (
  id bigint generated always as identity primary key,
  message_id bigint not null references sent_messages on delete cascade,
  -- Of the list's address in the message's recipients.
  position integer not null,
  list_id text not null references mailing_lists on delete cascade,
  account_id text not null references accounts (id),
  -- What the call says of the list's address; those of members go before.
  variables jsonb,
  place text collate "C" not null default '',
  sent integer not null default 0,
  -- Why it ended before the last member.
  fault text,
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (message_id, position)
);
create index mailing_list_postings_list on mailing_list_postings (list_id, created_at desc);
comment on table mailing_list_postings is 'features/mailing-lists';
