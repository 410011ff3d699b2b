-- Which features of HTML and CSS the message of a test uses, and where: what nobody tried in a client is said of its
-- picture. No row: the message was not looked through, or took too much.
create table preview_features (
  test_id text primary key references preview_tests (id) on delete cascade,
  features jsonb not null
);
comment on table preview_features is 'features/previews';
