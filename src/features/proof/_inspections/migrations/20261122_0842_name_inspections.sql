-- What lists call it: the email's subject or title, its file, where it was read from, or what somebody renamed it to.
alter table inspections add column name text not null default '';
