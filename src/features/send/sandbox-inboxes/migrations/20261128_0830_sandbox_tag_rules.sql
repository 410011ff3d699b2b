-- Which tags an inbox gives to what comes: [{"match": …, "tags": […]}], where `match` is a search of its messages.
alter table sandbox_inboxes add column tag_rules jsonb not null default '[]';
