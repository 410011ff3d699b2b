-- Who wrote a message that came in for a list, and where answers to them go; null: it is the account's own.
alter table mailing_list_postings add column author jsonb;
