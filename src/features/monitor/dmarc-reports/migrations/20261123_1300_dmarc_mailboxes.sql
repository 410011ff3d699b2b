-- Mailboxes to which an account's reports go and which are read by IMAP, and how far they were read.
create table dmarc_mailboxes (
  id text primary key,
  account_id text not null references accounts (id),
  host text not null,
  port integer not null,
  security text not null check (security in ('tls', 'starttls', 'none')),
  user_name text not null,
  sealed_password text not null,
  verify_certificate boolean not null,
  folder text not null,
  -- Which reports count: those whose mail is signed by whom they name, or all.
  trust text not null check (trust in ('signed', 'all')),
  is_enabled boolean not null,
  state text not null check (state in ('waiting', 'working', 'failing', 'stopped')),
  problem text,
  -- Visits in a row that were refused for good, such as logins.
  refusals integer not null,
  checked_at timestamptz,
  succeeded_at timestamptz,
  -- Messages up to this one were taken; null: none yet.
  uid_validity text,
  last_uid bigint not null,
  messages_read bigint not null,
  reports_found bigint not null,
  last_report_at timestamptz,
  -- How many new messages the last visit left for the next; null: not known.
  messages_left integer,
  due_at timestamptz not null,
  created_at timestamptz not null,
  -- When its settings changed.
  updated_at timestamptz not null
);
create index dmarc_mailboxes_own on dmarc_mailboxes (account_id, created_at);
create index dmarc_mailboxes_due on dmarc_mailboxes (due_at) where is_enabled and state <> 'stopped';
comment on table dmarc_mailboxes is 'features/dmarc-reports';

alter table dmarc_reports drop constraint dmarc_reports_via_check;
alter table dmarc_reports add constraint dmarc_reports_via_check check (via in ('mail', 'upload', 'imap'));
