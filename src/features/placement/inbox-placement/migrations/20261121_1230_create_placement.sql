-- A set of seed addresses. `seeds` holds [{ kind, id, provider, email }].
create table seed_lists (
  kid text primary key,
  account_id text not null references accounts (id),
  target_email text not null unique,
  name text not null,
  seed_filter text not null,
  provider_filter jsonb,
  sending_domains jsonb not null,
  remote_id text,
  seeds_max integer not null,
  seeds_per_receiver integer not null,
  is_auto_generated boolean not null,
  seeds jsonb not null,
  previous_mailing_list text not null,
  version integer not null,
  regen_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index seed_lists_page on seed_lists (account_id, created_at, kid);
comment on table seed_lists is 'features/inbox-placement';

-- One placement test; what became of each message stands in seed_deliveries.
create table placement_results (
  result_id text primary key,
  rid text not null unique,
  account_id text not null references accounts (id),
  list_id text references seed_lists (kid) on delete set null,
  target_email text not null,
  seed_list_name text not null,
  subject text not null,
  sender text not null,
  status text not null check (status in ('processing', 'complete')),
  -- What the filters said of the message.
  filters jsonb,
  sharing_id text unique,
  is_shared boolean not null default false,
  sharing_expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null
);
create index placement_results_page on placement_results (account_id, created_at, result_id);
create index placement_results_list on placement_results (list_id, created_at);
create index placement_results_expiry on placement_results (expires_at);
comment on table placement_results is 'features/inbox-placement';
