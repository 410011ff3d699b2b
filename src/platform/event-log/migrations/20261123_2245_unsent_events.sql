-- Events that are not yet in ClickHouse, where one keeps the log: a row for each statement that wrote some, in its
-- transaction. Rows of one batch are sent together, at every try the same.
create table unsent_events (
  id bigint generated always as identity primary key,
  size integer not null,
  ats timestamptz[] not null,
  ids bigint[] not null,
  written_at timestamptz not null,
  -- The token of the batch that they belong to.
  batch uuid,
  taken_until timestamptz
);
create index unsent_events_batches on unsent_events (batch) where batch is not null;
create index unsent_events_waiting on unsent_events (id) where batch is null;
create index unsent_events_written on unsent_events (written_at);
comment on table unsent_events is 'platform/event-log';

-- A row when all that was written before waits as well.
create table event_sending (began boolean primary key);
comment on table event_sending is 'platform/event-log';
