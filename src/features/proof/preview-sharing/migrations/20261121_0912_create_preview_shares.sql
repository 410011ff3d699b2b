-- A public link to the results of one test.
create table preview_shares (
  test_id text primary key references preview_tests (id) on delete cascade,
  uuid uuid not null unique,
  is_enabled boolean not null,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
comment on table preview_shares is 'features/preview-sharing';
