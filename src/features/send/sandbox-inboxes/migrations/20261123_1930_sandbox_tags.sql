-- What messages are sorted by: words that they bring themselves, or that somebody gives them.
alter table sandbox_messages add column tags jsonb not null default '[]';
