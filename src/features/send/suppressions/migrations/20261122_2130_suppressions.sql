-- Addresses that a domain does not write to, and why; and those to which it does although they bounced.
create table suppressions (
  account_id text not null references accounts (id),
  -- By name: a domain that is deleted and added again has its lists.
  domain text not null,
  list text not null check (list in ('bounces', 'unsubscribes', 'complaints', 'whitelists')),
  -- In lower case, the domain in its xn-- form; of the allowlist also a bare domain. By bytes, so that one index serves
  -- pages and beginnings alike.
  address text collate "C" not null,
  code text not null default '',
  error text not null default '',
  -- Of unsubscribes; `*` is every message.
  tags text[] not null default '{}',
  reason text not null default '',
  created_at timestamptz not null,
  primary key (account_id, domain, list, address)
);
comment on table suppressions is 'features/suppressions';

-- Entries of an uploaded file that are yet to be written, some thousands a row; a row goes with its entries.
create table suppression_imports (
  import_id text not null,
  place integer not null,
  account_id text not null references accounts (id),
  domain text not null,
  list text not null,
  -- JSON, as text: the database alone reads it.
  entries text not null,
  primary key (import_id, place)
);
comment on table suppression_imports is 'features/suppressions';
