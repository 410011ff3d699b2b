-- Which messages somebody has looked at, and how many of an inbox nobody has.
alter table sandbox_messages add column is_read boolean not null default false;
-- Files that stand within the message, such as its pictures; they count among its attachments. Older ones have 0.
alter table sandbox_messages add column inline_count integer not null default 0;
alter table sandbox_inboxes add column unread_count integer not null default 0;
update sandbox_inboxes set unread_count = message_count;
