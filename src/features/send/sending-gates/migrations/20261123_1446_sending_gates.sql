-- What the gate does with messages of a domain before they leave; a domain without a row is not gated.
create table domain_gates (
  domain_id text primary key references sending_domains (id) on delete cascade,
  account_id text not null references accounts (id),
  domain text not null,
  mode text not null check (mode in ('off', 'warn', 'hold', 'refuse')),
  -- As it was given; null: the gate's defaults.
  policy jsonb,
  -- Null: all that need no screenshots.
  checks text[],
  updated_at timestamptz not null
);
create index domain_gates_name on domain_gates (account_id, domain);
comment on table domain_gates is 'features/sending-gates';

-- What the gate said of a content by a policy: once for all messages that have it.
create table gate_verdicts (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  -- Of content, policy and checks; with its id behind it once it is no longer reused.
  digest text not null,
  policy jsonb,
  checks text[],
  state text not null default 'waiting' check (state in ('waiting', 'running', 'pass', 'fail', 'unknown')),
  -- The message that was judged.
  sample_id bigint references sent_messages on delete set null,
  gate_id text,
  reasons text[] not null default '{}',
  created_at timestamptz not null,
  started_at timestamptz,
  judged_at timestamptz,
  unique (account_id, digest)
);
create index gate_verdicts_open on gate_verdicts (account_id, state, id) where state in ('waiting', 'running');
create index gate_verdicts_gate on gate_verdicts (gate_id);
create index gate_verdicts_started on gate_verdicts (account_id, started_at);
create index gate_verdicts_age on gate_verdicts (created_at);
comment on table gate_verdicts is 'features/sending-gates';

-- A message of a gated domain, and what became of it.
create table message_gates (
  message_id bigint primary key references sent_messages on delete cascade,
  account_id text not null references accounts (id),
  domain text not null,
  -- Null: it was not judged, because too many others waited for that.
  verdict_id bigint references gate_verdicts on delete set null,
  mode text not null check (mode in ('warn', 'hold', 'refuse')),
  state text not null check (state in ('sent', 'checking', 'held', 'passed', 'released', 'dropped', 'refused', 'expired')),
  recipients integer not null,
  size_bytes integer not null,
  created_at timestamptz not null,
  -- When it is dropped where nobody decides before.
  held_until timestamptz,
  decided_at timestamptz,
  decided_by text
);
create index message_gates_listed on message_gates (account_id, message_id desc);
create index message_gates_open on message_gates (account_id, message_id desc) where state in ('checking', 'held');
create index message_gates_until on message_gates (held_until) where state in ('checking', 'held');
create index message_gates_checking on message_gates (verdict_id) where state = 'checking';
create index message_gates_verdict on message_gates (verdict_id);
comment on table message_gates is 'features/sending-gates';
