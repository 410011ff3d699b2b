-- What somebody looked for in a list of the dashboard, under a name.
create table saved_views (
  id text primary key,
  account_id text not null references accounts (id),
  -- Whose it is. Null: of everybody who signs in with a key that belongs to no user.
  user_id text references users (id) on delete cascade,
  list text not null,
  name text not null,
  -- What stands behind the question mark of the address.
  search text not null,
  created_at timestamptz not null,
  unique nulls not distinct (account_id, user_id, list, name)
);
comment on table saved_views is 'features/saved-views';
