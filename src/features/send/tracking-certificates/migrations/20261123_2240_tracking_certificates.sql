-- The certificate of a tracking host: asked from an authority, used for https, renewed before it ends.
create table tracking_certificates (
  domain_id text not null references sending_domains (id) on delete cascade,
  account_id text not null references accounts (id),
  host text not null,
  -- PEM; null until the first is issued.
  chain text,
  -- Encrypted by platform/secrets for the purpose certificate:<host>.
  sealed_key text,
  valid_from timestamptz,
  valid_to timestamptz,
  -- What kept the last try from an end; null after one that went well.
  error text,
  -- Somebody asked, and nothing has come of it yet.
  asked_at timestamptz,
  -- Tries that failed, one after the other.
  failures integer not null default 0,
  -- When somebody tries next; null: nobody does.
  try_at timestamptz,
  created_at timestamptz not null,
  primary key (domain_id, host)
);
create index tracking_certificates_host on tracking_certificates (host);
create index tracking_certificates_due on tracking_certificates (try_at) where try_at is not null;
comment on table tracking_certificates is 'features/tracking-certificates';
-- Orders at the authority, to stay below what it allows. They outlast domains, since the authority counts by host.
create table certificate_orders (
  id text primary key,
  account_id text not null references accounts (id),
  host text not null,
  ordered_at timestamptz not null
);
create index certificate_orders_at on certificate_orders (ordered_at);
comment on table certificate_orders is 'features/tracking-certificates';
-- What a host answers to an authority that checks whether it is served here.
create table certificate_challenges (
  token text primary key,
  account_id text not null references accounts (id),
  answer text not null,
  until timestamptz not null
);
comment on table certificate_challenges is 'features/tracking-certificates';
-- The account of this service at each authority.
create table certificate_authorities (
  directory_url text primary key,
  -- Encrypted by platform/secrets for the purpose acme:<directory_url>.
  sealed_key text not null,
  created_at timestamptz not null
);
comment on table certificate_authorities is 'features/tracking-certificates';
