-- Which deliveries were sent again.
create index webhook_deliveries_replays on webhook_deliveries (replay_of) where replay_of is not null;
-- A URL that was disabled gets no event of that time.
alter table webhook_urls add column enabled_at timestamptz;
