-- Installations of the operator's Slack app that were begun: each state is good once, and for minutes.
create table alert_slack_installs (
  -- SHA-256 of what goes to Slack and comes back.
  state_hash text primary key,
  account_id text not null references accounts (id),
  -- The session, or the key, that began it: no other ends it.
  begun_by text not null,
  -- Slack wants it again when the code is exchanged.
  redirect_uri text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index alert_slack_installs_own on alert_slack_installs (account_id, created_at);
comment on table alert_slack_installs is 'features/alerts';
