-- Sign-ins that were completed, until they could not be any more: each counts once.
create table sso_uses (
  state_digest bytea primary key,
  expires_at timestamptz not null
);
create index sso_uses_expiry on sso_uses (expires_at);
comment on table sso_uses is 'features/sso';
