-- When the account was disabled last: what was begun before, such as a session, does not come back when it is opened again.
alter table accounts add column disabled_at timestamptz;
update accounts set disabled_at = updated_at where status <> 'open';
-- Sessions were signed with a secret of it; they are rows now.
drop table deployment_secrets;
