-- What an inbox refuses on purpose, by the trigger: {"sender": {"errorCode": 451, "probability": 20}, …}, in percent.
alter table sandbox_inboxes add column chaos jsonb not null default '{}';
