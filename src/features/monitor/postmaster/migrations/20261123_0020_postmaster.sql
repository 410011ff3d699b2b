-- Tools of mailbox providers that an account reads: how they are reached, and how the last reading ended.
create table postmaster_connections (
  id text primary key,
  account_id text not null references accounts (id),
  provider text not null check (provider in ('google', 'snds')),
  method text not null check (method in ('service_account', 'refresh_token', 'links')),
  -- Addresses and names, nothing secret: see features/postmaster.
  settings jsonb not null,
  sealed_credentials text not null,
  state text not null check (state in ('waiting', 'connected', 'limited', 'failing', 'expired')),
  problem text,
  -- Days back from now that the next reading asks for.
  days integer not null,
  -- The last domain or day that a reading finished before it was told to wait.
  resume_after text,
  checked_at timestamptz,
  succeeded_at timestamptz,
  due_at timestamptz not null,
  created_at timestamptz not null
);
create index postmaster_connections_own on postmaster_connections (account_id, created_at);
create index postmaster_connections_due on postmaster_connections (due_at);
comment on table postmaster_connections is 'features/postmaster';

-- What a provider says of a domain on a day. A day of which it says nothing has no row, and a figure that it does not
-- give is null: neither is a zero.
create table postmaster_days (
  account_id text not null references accounts (id),
  provider text not null check (provider in ('google', 'yahoo')),
  domain text collate "C" not null,
  -- 2026-11-22, as the provider counts days.
  day text collate "C" not null,
  source text not null check (source in ('api', 'upload')),
  spam_ratio double precision,
  spf_ratio double precision,
  dkim_ratio double precision,
  dmarc_ratio double precision,
  encryption_ratio double precision,
  error_ratio double precision,
  -- By kind: see features/postmaster.
  errors jsonb not null default '[]',
  delivered integer,
  -- 1 bad to 4 high, and who says so.
  reputation integer,
  reputation_source text check (reputation_source in ('upload', 'own_events')),
  -- Own figures of the same domain, day and provider; null where the log of events does not reach back to the day.
  own jsonb,
  -- Null: own figures are yet to be counted.
  counted_at timestamptz,
  imported_at timestamptz not null,
  primary key (account_id, provider, domain, day)
);
create index postmaster_days_list on postmaster_days (account_id, provider, day, domain);
create index postmaster_days_uncounted on postmaster_days (account_id, day) where counted_at is null;
comment on table postmaster_days is 'features/postmaster';

-- Google's feedback loops: the share of spam reports by the identifier that the sender put into a header.
create table postmaster_loops (
  account_id text not null references accounts (id),
  domain text collate "C" not null,
  day text collate "C" not null,
  loop_id text collate "C" not null,
  ratio double precision not null,
  imported_at timestamptz not null,
  primary key (account_id, domain, day, loop_id)
);
create index postmaster_loops_list on postmaster_loops (account_id, day, domain, loop_id);
comment on table postmaster_loops is 'features/postmaster';

-- Reputations of sending addresses, from exports of the time when Google gave them.
create table postmaster_addresses (
  account_id text not null references accounts (id),
  domain text collate "C" not null,
  address text collate "C" not null,
  day text collate "C" not null,
  reputation integer not null,
  reputation_source text not null check (reputation_source in ('upload')),
  imported_at timestamptz not null,
  primary key (account_id, domain, address, day)
);
create index postmaster_addresses_list on postmaster_addresses (account_id, day, domain, address);
comment on table postmaster_addresses is 'features/postmaster';

-- What Microsoft says of a sending address on a day.
create table snds_days (
  account_id text not null references accounts (id),
  address text collate "C" not null,
  day text collate "C" not null,
  source text not null check (source in ('api', 'links', 'upload')),
  recipients integer,
  filter_result text check (filter_result in ('GREEN', 'YELLOW', 'RED')),
  -- As it is written: "< 0.1%" is no number.
  complaint_rate text,
  trap_hits integer,
  trap_period text,
  imported_at timestamptz not null,
  primary key (account_id, address, day)
);
create index snds_days_list on snds_days (account_id, day, address);
comment on table snds_days is 'features/postmaster';

-- Ranges of addresses that Microsoft blocks, or says that it does not.
create table snds_statuses (
  account_id text not null references accounts (id),
  first_address text not null,
  last_address text not null,
  is_blocked boolean not null,
  reason text not null,
  checked_at timestamptz not null,
  primary key (account_id, first_address, last_address)
);
comment on table snds_statuses is 'features/postmaster';
