-- A person or a check has to let it go first: it is not made ready when its time comes.
alter table deliveries add column is_held boolean not null default false;
drop index deliveries_later;
create index deliveries_later on deliveries (due_at) where not is_ready and not is_taken and not is_held;
create index deliveries_held on deliveries (message_id) where is_held;
