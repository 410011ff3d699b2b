-- What servers said when they were asked for a mailbox. An entry whose address is a domain says whether its server takes
-- every name.
create table address_probes (
  account_id text not null references accounts (id),
  address text collate "C" not null,
  finding text not null check (finding in ('accepted', 'refused', 'accepts_all', 'unknown', 'tells')),
  said text not null,
  asked_at timestamptz not null,
  primary key (account_id, address)
);
create index address_probes_age on address_probes (asked_at);
comment on table address_probes is 'features/address-validations';

-- How many addresses of an account were asked for within the hour that began then.
create table address_probe_hours (
  account_id text primary key references accounts (id),
  began_at timestamptz not null,
  asked integer not null
);
comment on table address_probe_hours is 'features/address-validations';
