-- A session belongs to a key or to a user.
alter table sessions alter column key_id drop not null;
alter table sessions add column user_id text references users (id) on delete cascade;
alter table sessions add constraint sessions_owner check ((key_id is null) <> (user_id is null));
create index sessions_user on sessions (user_id, created_at);
