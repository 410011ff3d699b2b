-- The address at which an account's reports arrive.
create table dmarc_inboxes (
  account_id text primary key references accounts (id),
  -- Cannot be guessed.
  local_part text not null unique,
  created_at timestamptz not null,
  last_report_at timestamptz
);
comment on table dmarc_inboxes is 'features/dmarc-reports';

-- Reports of receivers, each once; a report of TLS is a row for each domain. Of what was refused the reason is kept.
create table dmarc_reports (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  kind text not null check (kind in ('aggregate', 'tls', 'failure', 'refused')),
  -- Empty: it was refused before one was found.
  domain text not null,
  organization text not null,
  -- As the organization names it; of failures a digest.
  report_id text not null,
  begin_at timestamptz not null,
  end_at timestamptz not null,
  received_at timestamptz not null,
  via text not null check (via in ('mail', 'upload')),
  -- The domain that vouches for the mail that brought it.
  vouched_by text,
  -- Messages of an aggregate report, sessions of one of TLS.
  messages bigint not null,
  -- By the kind: see features/dmarc-reports.
  content jsonb not null
);
create unique index dmarc_reports_once
  on dmarc_reports (account_id, kind, domain, md5(lower(organization)), md5(report_id));
create index dmarc_reports_newest on dmarc_reports (account_id, received_at desc, id desc);
create index dmarc_reports_ended on dmarc_reports (end_at);
comment on table dmarc_reports is 'features/dmarc-reports';

-- What aggregate reports count: messages of an address in the name of a domain, on the day on which the report begins.
create table dmarc_rows (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  report_id bigint not null references dmarc_reports (id) on delete cascade,
  domain text not null,
  -- In UTC, 2026-11-23.
  day text collate "C" not null,
  source_ip text not null,
  -- The name of the address, where it leads back; empty: it has none, or it was not looked up yet.
  host text not null default '',
  source_id text not null,
  source_name text not null,
  -- Of the table of known senders; null: it is not in it.
  source_type text,
  source_by text not null,
  count bigint not null,
  disposition text not null,
  is_dkim_aligned boolean not null,
  is_spf_aligned boolean not null,
  is_forwarded boolean not null,
  -- What ties a message that fails to the domain.
  tie text,
  header_from text not null,
  envelope_from text not null,
  -- Results of DKIM and SPF, and why the receiver did otherwise.
  details jsonb not null
);
create index dmarc_rows_days on dmarc_rows (account_id, domain, day);
create index dmarc_rows_report on dmarc_rows (report_id, source_ip);
comment on table dmarc_rows is 'features/dmarc-reports';
