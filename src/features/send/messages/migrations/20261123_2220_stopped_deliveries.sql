-- The batch that it belongs to has to be judged or released first. Apart from `is_held`, so that one does not release
-- what the other holds.
alter table deliveries add column is_stopped boolean not null default false;
drop index deliveries_later;
create index deliveries_later on deliveries (due_at)
  where not is_ready and not is_taken and not is_held and not is_stopped;
create index deliveries_stopped on deliveries (message_id) where is_stopped;
