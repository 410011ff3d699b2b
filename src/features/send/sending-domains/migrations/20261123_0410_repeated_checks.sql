-- When DNS was asked last, by anybody: domains that were verified are asked for again every hour.
alter table sending_domains add column checked_at timestamptz;
update sending_domains set checked_at = updated_at where verified_at is not null;
create index sending_domains_checked on sending_domains (checked_at) where verified_at is not null and type = 'custom';
