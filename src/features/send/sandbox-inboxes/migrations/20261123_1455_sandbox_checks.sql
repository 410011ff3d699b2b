-- What an inbox starts by itself for each message that comes: checks by their names.
alter table sandbox_inboxes add column checks jsonb not null default '[]';
alter table sandbox_inboxes add column checks_per_hour integer not null default 60;
-- The hour that is counted in, and how many messages were checked in it.
alter table sandbox_inboxes add column check_hour_at timestamptz;
alter table sandbox_inboxes add column check_hour_count integer not null default 0;
-- By name: {"state": "queued"}, {"state": "started", "id": …} or {"state": "refused", "why": …}.
alter table sandbox_messages add column checks jsonb not null default '{}';
