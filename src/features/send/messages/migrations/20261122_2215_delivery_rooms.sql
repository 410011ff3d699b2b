-- What is due is ready to be taken; a row that waits for its time is made ready when it comes. So nobody who looks for
-- work walks over what is later.
alter table deliveries add column is_ready boolean not null default true;
-- The message's: what was captured is taken without looking at its destination.
alter table deliveries add column mode text not null default 'capture' check (mode in ('capture', 'live'));
update deliveries set mode = (select mode from sent_messages where sent_messages.id = deliveries.message_id);
update deliveries set is_ready = false where not is_taken and due_at > now();
create index deliveries_captured on deliveries (account_id, due_at, id)
  where is_ready and not is_taken and mode = 'capture';
create index deliveries_live on deliveries (account_id, domain, lane, destination, due_at, id)
  where is_ready and not is_taken and mode = 'live';
create index deliveries_later on deliveries (due_at) where not is_ready and not is_taken;
