-- Accounts whose events are kept for less time than the service keeps events.
create table event_retentions (
  account_id text primary key references accounts (id),
  days integer not null check (days > 0)
);
comment on table event_retentions is 'features/events';
