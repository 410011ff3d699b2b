-- A zip of the screenshots of some clients of a test.
create table preview_exports (
  id text primary key,
  test_id text not null references preview_tests (id) on delete cascade,
  client_ids text[] not null,
  status text not null check (status in ('Processing', 'Complete', 'Failed')),
  failed_client_ids text[] not null default '{}',
  error text,
  created_at timestamptz not null
);
create index preview_exports_latest on preview_exports (test_id, created_at desc);
comment on table preview_exports is 'features/preview-exports';
