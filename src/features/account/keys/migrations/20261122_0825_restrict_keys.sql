-- What a key is for, and who it was made for; two more roles, which may do less.
alter table api_keys add column kind text not null default 'user' check (kind in ('domain', 'user', 'web'));
alter table api_keys add column domain_name text;
alter table api_keys add column user_id text;
alter table api_keys add column user_name text;
alter table api_keys add column email text;
alter table api_keys drop constraint api_keys_role_check;
alter table api_keys add constraint api_keys_role_check check (role in ('admin', 'developer', 'support', 'basic', 'sending'));
