-- Who changed what, from where. Rows are added and expire; no endpoint changes or deletes them.
create table audit_entries (
  id text primary key,
  -- The account that was acted for.
  account_id text not null,
  at timestamptz not null,
  kind text not null check (kind in ('change', 'sign_in')),
  operation text not null,
  method text not null,
  path text not null,
  -- Names and ids of what was changed: { "domain_name": "shop.example" }.
  resource jsonb not null,
  -- Names of the fields that were given, never their values.
  fields jsonb not null,
  status integer not null,
  outcome text not null check (outcome in ('success', 'failure')),
  actor_kind text not null check (actor_kind in ('key', 'user', 'operator', 'unknown')),
  actor_id text,
  actor_name text not null,
  actor_account_id text,
  role text,
  session_id text,
  address text not null,
  user_agent text not null,
  requestor text,
  requestor_client text,
  request_id text not null
);
create index audit_entries_account on audit_entries (account_id, at, id);
create index audit_entries_age on audit_entries (at);
comment on table audit_entries is 'features/audit-log';
