-- How long a message waited for its first try is added to its deadline.
alter table seed_deliveries add column queued_at timestamptz;
update seed_deliveries set queued_at = touched_at;
alter table seed_deliveries alter column queued_at set not null;
