-- Lists of addresses that are validated in the background. The id is in addresses of results, which need no key.
create table address_validations (
  id text primary key,
  account_id text not null references accounts (id),
  -- What the account calls it.
  name text collate "C" not null,
  status text not null check (status in ('created', 'processing', 'uploaded', 'failed')),
  quantity integer not null,
  processed integer not null default 0,
  -- So far.
  summary jsonb not null,
  failure text,
  created_at timestamptz not null,
  finished_at timestamptz
);
create unique index address_validations_names on address_validations (account_id, name);
create index address_validations_age on address_validations (created_at);
comment on table address_validations is 'features/address-validations';

-- Some addresses of a list at a time, and what was found; null until then.
create table address_validation_parts (
  validation_id text not null references address_validations (id) on delete cascade,
  account_id text not null references accounts (id),
  place integer not null,
  addresses jsonb not null,
  results jsonb,
  primary key (validation_id, place)
);
create index address_validation_parts_accounts on address_validation_parts (account_id);
comment on table address_validation_parts is 'features/address-validations';
