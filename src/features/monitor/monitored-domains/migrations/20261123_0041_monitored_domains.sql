-- Domains whose owner has shown in DNS that they are theirs, or is about to.
create table monitored_domains (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  -- What the TXT record ends with.
  token text not null,
  status text not null check (status in ('unverified', 'pending', 'inbox_ready')),
  -- Why the last verification found nothing.
  problem text not null default '',
  created_at timestamptz not null,
  verified_at timestamptz
);
create unique index monitored_domains_own on monitored_domains (account_id, name);
comment on table monitored_domains is 'features/monitored-domains';
