-- When somebody looks next whether the records of a domain that was never verified are there; null: nobody does.
alter table sending_domains add column check_at timestamptz;
create index sending_domains_check on sending_domains (check_at) where check_at is not null;
