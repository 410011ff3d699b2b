-- A name belongs to the account that verified it; until then any account may have added it, and none hears of the others.
alter table sending_domains drop constraint sending_domains_name_key;
create unique index sending_domains_own on sending_domains (account_id, name);
create unique index sending_domains_verified on sending_domains (name) where state = 'active';
