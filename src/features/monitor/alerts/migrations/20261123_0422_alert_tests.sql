-- Test alerts of an account in the hour that began then.
alter table alert_accounts add column tests_since timestamptz;
alter table alert_accounts add column tests_made integer not null default 0;
