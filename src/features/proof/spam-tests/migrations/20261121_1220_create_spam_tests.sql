-- What lists of spam tests are filtered and sorted by; the rest is the inspection's.
create table spam_tests (
  inspection_id text primary key references inspections (id) on delete cascade,
  account_id text not null references accounts (id),
  subject text not null,
  sending_ip text,
  region text not null,
  status text not null check (status in ('processing', 'completed', 'failed')),
  failure_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index spam_tests_page on spam_tests (account_id, created_at desc, inspection_id desc);
comment on table spam_tests is 'features/spam-tests';
