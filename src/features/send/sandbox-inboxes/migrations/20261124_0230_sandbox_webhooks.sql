-- Where an inbox tells of each message that comes.
alter table sandbox_inboxes add column webhook_url text;
-- {"url": …, "state": …, "attempts": […]}; null where the inbox named no URL when the message came.
alter table sandbox_messages add column webhook jsonb;
