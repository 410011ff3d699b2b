-- What an account is without, why it was disabled, and how long its sessions last; null: as by default.
alter table accounts add column switched_off text[] not null default '{}';
alter table accounts add column disabled_reason text;
alter table accounts add column disabled_note text;
alter table accounts add column inactive_session_seconds integer;
alter table accounts add column absolute_session_seconds integer;
alter table accounts add column logout_redirect_url text;
