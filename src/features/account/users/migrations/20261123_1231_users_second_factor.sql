-- Since when signing in by password asks for a code, too; null where it does not.
alter table users add column tfa_created_at timestamptz;
