-- A program that runs real clients. The operator enrolled it; its token is kept as a digest.
create table capture_agents (
  id text primary key,
  -- The account of the operator.
  account_id text not null references accounts (id),
  name text not null,
  digest bytea not null unique,
  -- As it said when it last asked for work.
  clients jsonb not null,
  created_at timestamptz not null,
  last_seen_at timestamptz
);
create index capture_agents_page on capture_agents (account_id, created_at desc, id desc);
comment on table capture_agents is 'features/capture-agents';

-- A wish to see the message of a test in a real client.
create table capture_requests (
  id text primary key,
  account_id text not null references accounts (id),
  test_id text not null references preview_tests (id) on delete cascade,
  client_id text not null,
  requested_by text not null,
  state text not null check (state in ('waiting', 'claimed', 'done', 'failed')),
  attempts integer not null default 0,
  agent_id text references capture_agents (id) on delete set null,
  claimed_at timestamptz,
  -- A claim that has ended by then is anybody's again.
  lease_until timestamptz,
  error text,
  capture_id text references captures (id) on delete set null,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index capture_requests_page on capture_requests (account_id, created_at desc, id desc);
create index capture_requests_test on capture_requests (test_id);
create index capture_requests_agent on capture_requests (agent_id);
create index capture_requests_capture on capture_requests (capture_id);
create index capture_requests_open on capture_requests (client_id, created_at) where state in ('waiting', 'claimed');
create index capture_requests_turn on capture_requests (account_id, claimed_at desc);
comment on table capture_requests is 'features/capture-agents';
