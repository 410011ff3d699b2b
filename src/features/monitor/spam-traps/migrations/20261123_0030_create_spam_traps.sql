-- Addresses that nobody writes to who has asked: what arrives at them by SMTP is a hit of whoever sent it.
create table spam_traps (
  id text primary key,
  account_id text not null references accounts (id),
  -- An address, or a domain with all of its addresses; in lower case.
  value text not null unique,
  type text not null check (type in ('pristine', 'recycled', 'typo', 'harvested')),
  note text not null default '',
  created_at timestamptz not null,
  -- Mail of senders that no account here is known to be: counted, not kept.
  foreign_hits integer not null default 0,
  foreign_at timestamptz
);
create index spam_traps_account on spam_traps (account_id, created_at, id);
comment on table spam_traps is 'features/spam-traps';

-- Hits of what an account sent, as each source tells them.
create table spam_trap_hits (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  at timestamptz not null,
  type text not null check (type in ('pristine', 'recycled', 'typo', 'harvested')),
  source text not null check (source in ('own', 'import')),
  -- The file's name, or the words `Galley's own traps`.
  source_name text not null,
  hits integer not null check (hits > 0),
  -- The domain in From.
  domain text not null,
  subject text not null,
  ip text not null,
  -- The address in From.
  header_from text not null,
  -- The return path.
  sender text not null,
  tags text[] not null default '{}',
  trap_id text references spam_traps (id) on delete set null,
  -- How it is known to be of this account.
  proof text not null,
  -- Where the message is; null when there is none.
  message_key text,
  -- Told again, it is the same hit.
  fingerprint text not null,
  unique (account_id, fingerprint)
);
create index spam_trap_hits_days on spam_trap_hits (account_id, at);
create index spam_trap_hits_traps on spam_trap_hits (trap_id);
create index spam_trap_hits_messages on spam_trap_hits (account_id, id) where message_key is not null;
comment on table spam_trap_hits is 'features/spam-traps';
