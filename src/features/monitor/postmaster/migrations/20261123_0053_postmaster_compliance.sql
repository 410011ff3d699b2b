-- Whether a domain meets a provider's requirements of senders, as the provider said it last. It is of no day in the
-- past: a new reading replaces the one before.
create table postmaster_compliance (
  account_id text not null references accounts (id),
  domain text collate "C" not null,
  -- The day of the reading, UTC.
  day text collate "C" not null,
  -- See features/postmaster.
  status jsonb not null,
  primary key (account_id, domain)
);
comment on table postmaster_compliance is 'features/postmaster';
