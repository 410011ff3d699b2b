-- Tracking hosts of which somebody was told that their certificate ends soon.
create table ending_certificates (
  account_id text not null references accounts (id),
  -- Of an authority's certificate the host, of the operator's the names that it has.
  host text not null,
  -- Null: the certificate is the operator's.
  domain text,
  valid_to timestamptz not null,
  primary key (account_id, host)
);
comment on table ending_certificates is 'features/tracking-certificates';
-- From when on a certificate counts as one that ends soon.
alter table tracking_certificates add column ends_soon_at timestamptz;
update tracking_certificates
set ends_soon_at = greatest(valid_to - interval '21 days', valid_to - (valid_to - valid_from) / 4)
where valid_to is not null;
create index tracking_certificates_ending on tracking_certificates (ends_soon_at) where ends_soon_at is not null;
