-- Each key has a place in lists over all domains, and what DNS said of it when it was asked last.
alter table dkim_keys add column id text;
update dkim_keys set id = substr(md5(domain_id || ' ' || selector), 1, 24);
alter table dkim_keys alter column id set not null;
create unique index dkim_keys_id on dkim_keys (id);
alter table dkim_keys add column checked jsonb;
-- The domain whose keys sign for this one; null: its own.
alter table sending_domains add column authority_id text references sending_domains (id) on delete set null;
create index sending_domains_authority on sending_domains (authority_id) where authority_id is not null;
