-- Mailboxes that an account owns at providers, looked into by IMAP.
create table seed_mailboxes (
  id text primary key,
  account_id text not null references accounts (id),
  email text not null,
  -- Domain of the provider, such as gmail.com; several mailboxes may share one.
  provider text not null,
  display_name text not null,
  category text not null check (category in ('b2c', 'b2b')),
  region text not null,
  host text not null,
  port integer not null,
  security text not null check (security in ('tls', 'starttls', 'none')),
  user_name text not null,
  -- Sealed JSON, { password } or { accessToken }; never shown.
  sealed_credentials text not null,
  verify_certificate boolean not null default true,
  is_enabled boolean not null default true,
  status text not null default 'untested' check (status in ('untested', 'working', 'failing')),
  status_message text,
  checked_at timestamptz,
  -- Two visits at once would find the same things twice.
  visiting_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index seed_mailboxes_email on seed_mailboxes (account_id, lower(email));
comment on table seed_mailboxes is 'features/seeds';

-- One message of one test to one seed: what became of it.
create table seed_deliveries (
  -- Stands in the message's X-Galley-Seed field; by it a copy is told from every other.
  token text primary key,
  kind text not null,
  test_id text not null,
  account_id text not null references accounts (id),
  place integer not null,
  seed_kind text not null check (seed_kind in ('receiver', 'mailbox')),
  -- Name of the receiver, or id of the mailbox.
  seed_id text not null,
  provider text not null,
  email text not null,
  -- { ip, helo, reverseDns, mailFrom } that the receiver is to assume; null: as it really comes.
  envelope jsonb,
  state text not null check (state in ('pending', 'sending', 'deferred', 'sent', 'delivered', 'bounced', 'missing', 'unknown')),
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  sent_at timestamptz,
  received_at timestamptz,
  -- Set once, with one of the last four states.
  settled_at timestamptz,
  touched_at timestamptz not null,
  deadline_at timestamptz not null,
  expires_at timestamptz not null,
  placement text check (placement in ('inbox', 'spam', 'category')),
  category text,
  copies integer not null default 0,
  -- One sentence.
  reason text,
  -- What the sending side saw.
  handover jsonb,
  -- What the receiving side saw.
  report jsonb
);
create unique index seed_deliveries_seed on seed_deliveries (test_id, email);
create index seed_deliveries_email on seed_deliveries (email);
create index seed_deliveries_open on seed_deliveries (deadline_at) where settled_at is null;
create index seed_deliveries_expiry on seed_deliveries (expires_at);
comment on table seed_deliveries is 'features/seeds';
