-- A picture that a real client made of the message of a test. Its pictures are objects of the test.
create table captures (
  id text primary key,
  account_id text not null references accounts (id),
  test_id text not null references preview_tests (id) on delete cascade,
  client_id text not null,
  -- As stated by who made it, like the two after it.
  client_version text not null,
  os text not null,
  captured_by text not null,
  captured_at timestamptz not null,
  how text not null check (how in ('by_hand', 'agent')),
  -- What the agent is called, also when it is there no more.
  agent_name text,
  -- SHA-256 of the source of the test, in hex.
  source_digest text not null,
  -- Of the picture as it is kept, in CSS pixels.
  width integer not null,
  height integer not null,
  scale double precision not null,
  bytes integer not null,
  -- Only what is accepted counts as evidence.
  state text not null check (state in ('waiting', 'accepted', 'rejected')),
  decision jsonb,
  created_at timestamptz not null,
  -- Null until it was held against the preview.
  compared_at timestamptz,
  comparison jsonb,
  -- Why it could not be.
  comparison_problem text
);
create index captures_page on captures (account_id, created_at desc, id desc);
create index captures_test on captures (test_id);
create index captures_evidence on captures (account_id, client_id, captured_at desc) where state = 'accepted';
create index captures_waiting on captures (created_at desc) where state = 'waiting';
comment on table captures is 'features/captures';
