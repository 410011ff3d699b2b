-- A preview test: one message, shown in many clients. Its source, assets and pictures are objects below previews/<id>/.
create table preview_tests (
  id text primary key,
  account_id text not null references accounts (id),
  region text not null,
  subject text not null,
  headers jsonb not null,
  source text not null check (source in ('html', 'url', 'mime')),
  source_url text,
  -- Bytes of the message as a mail server would count them.
  message_bytes integer not null,
  reference_id text,
  customer_id text,
  image_blocking boolean not null,
  content_checking jsonb not null,
  -- Unguessable part of the addresses of its pictures.
  file_token text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index preview_tests_page on preview_tests (account_id, created_at desc, id desc);
create index preview_tests_expiry on preview_tests (expires_at);
comment on table preview_tests is 'features/previews';

-- One client of a test.
create table preview_results (
  test_id text not null references preview_tests (id) on delete cascade,
  client_id text not null,
  status text not null check (status in ('processing', 'completed', 'bounced')),
  submitted_at timestamptz not null,
  -- When its pictures were last queued; three minutes later they are queued again.
  queued_at timestamptz not null,
  completed_at timestamptz,
  bounce_code text not null default '',
  bounce_message text not null default '',
  attempts integer not null default 1,
  reprocesses integer not null default 0,
  notes jsonb not null default '[]',
  primary key (test_id, client_id)
);
create index preview_results_waiting on preview_results (queued_at) where status = 'processing';
comment on table preview_results is 'features/previews';

-- A distinct picture; equal clients share one.
create table preview_renders (
  test_id text not null references preview_tests (id) on delete cascade,
  key text not null,
  -- The client and screenshot that stand for all that share it.
  client_id text not null,
  shot text not null,
  status text not null check (status in ('pending', 'done')),
  -- Null until it was made once.
  picture jsonb,
  primary key (test_id, key)
);
comment on table preview_renders is 'features/previews';

-- Which picture is which screenshot of which client.
create table preview_shots (
  test_id text not null,
  client_id text not null,
  shot text not null,
  key text not null,
  primary key (test_id, client_id, shot),
  foreign key (test_id, client_id) references preview_results (test_id, client_id) on delete cascade,
  foreign key (test_id, key) references preview_renders (test_id, key) on delete cascade
);
create index preview_shots_key on preview_shots (test_id, key);
comment on table preview_shots is 'features/previews';
