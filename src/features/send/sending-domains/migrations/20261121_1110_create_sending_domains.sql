-- Domains that an account sends as, and the keys that sign their mail.
create table sending_domains (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null unique,
  type text not null check (type in ('custom', 'sandbox')),
  state text not null check (state in ('active', 'unverified', 'disabled')),
  settings jsonb not null,
  -- What DNS answered when it was asked last, by record.
  checks jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  verified_at timestamptz
);
create index sending_domains_account on sending_domains (account_id, created_at, id);
comment on table sending_domains is 'features/sending-domains';

create table dkim_keys (
  domain_id text not null references sending_domains (id) on delete cascade,
  selector text not null,
  -- Encrypted by platform/secrets for the purpose dkim:<domain>:<selector>.
  private_key text not null,
  record text not null,
  is_active boolean not null,
  created_at timestamptz not null,
  primary key (domain_id, selector)
);
comment on table dkim_keys is 'features/sending-domains';
