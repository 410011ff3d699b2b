-- Feeds of hits that an account fetches from a provider of traps once a day, and how the last fetch ended.
create table spam_trap_feeds (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  -- The address without what may be a key: see features/spam-traps.
  asks text not null,
  format text not null check (format in ('csv', 'json')),
  -- The whole address, and the credentials.
  sealed_access text not null,
  state text not null check (state in ('waiting', 'connected', 'limited', 'failing', 'expired')),
  problem text,
  checked_at timestamptz,
  succeeded_at timestamptz,
  due_at timestamptz not null,
  created_at timestamptz not null
);
create index spam_trap_feeds_own on spam_trap_feeds (account_id, created_at);
create index spam_trap_feeds_due on spam_trap_feeds (due_at);
comment on table spam_trap_feeds is 'features/spam-traps';

alter table spam_trap_hits drop constraint spam_trap_hits_source_check;
alter table spam_trap_hits add constraint spam_trap_hits_source_check check (source in ('own', 'import', 'feed'));
