-- Screenshots that somebody approved: what later pictures of the same clients are compared with.
create table gate_baselines (
  account_id text not null references accounts (id),
  name text not null,
  client_id text not null,
  object_prefix text not null,
  engine text not null,
  -- The gate that was approved; it may be gone.
  gate_id text not null,
  approved_at timestamptz not null,
  primary key (account_id, name, client_id)
);
comment on table gate_baselines is 'features/gate';
