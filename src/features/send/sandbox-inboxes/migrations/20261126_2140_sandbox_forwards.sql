-- Where an inbox sends each message on: addresses, and the sending domain that sends it.
alter table sandbox_inboxes add column forward_to jsonb not null default '[]';
alter table sandbox_inboxes add column forward_domain text;
-- {"domain": …, "to": […], "state": "waiting" | "queued" | "refused" …}; null where the inbox named nobody then.
alter table sandbox_messages add column forward jsonb;
