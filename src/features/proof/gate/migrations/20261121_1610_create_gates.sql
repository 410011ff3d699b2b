-- What a gate is known by before its verdict is there, and when it fails.
create table gates (
  inspection_id text primary key references inspections (id) on delete cascade,
  account_id text not null references accounts (id),
  -- Its email, its baseline and its policy.
  head jsonb not null
);
comment on table gates is 'features/gate';
