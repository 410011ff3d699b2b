-- What the call named to send from: an address (`ip 192.0.2.1`) or a pool (`pool` and its id); empty: what the domain
-- has. Processes take only what they can send, so it belongs to what is looked for.
alter table deliveries drop column pool_id;
alter table deliveries add column route text not null default '';
drop index deliveries_live;
create index deliveries_live on deliveries (account_id, domain, lane, route, destination, due_at, id)
  where is_ready and not is_taken and mode = 'live';
