-- A mailing that somebody else sent and whose result was deleted while it came in: its late copies make no new result.
create table placement_deleted_mailings (
  result_id text primary key,
  account_id text not null references accounts (id),
  list_id text not null references seed_lists (kid) on delete cascade,
  subject text not null,
  sender text not null,
  -- Addresses whose copy had not come yet.
  emails text[] not null,
  until timestamptz not null
);
create index placement_deleted_mailings_list on placement_deleted_mailings (list_id, until);
comment on table placement_deleted_mailings is 'features/inbox-placement';
