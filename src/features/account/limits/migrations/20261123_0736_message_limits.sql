-- How many messages an account, with its subaccounts, may send in a calendar month (UTC), and who says so: itself or
-- its parent.
create table message_limits (
  account_id text not null references accounts (id),
  owner_id text not null references accounts (id),
  max_messages bigint not null,
  -- Until then it lets everything through: somebody enabled the account again.
  lifted_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, owner_id)
);
comment on table message_limits is 'features/limits';

-- Messages that were accepted, one for each recipient, in a month; in parts, so that many may count at once.
create table message_counts (
  account_id text not null references accounts (id),
  -- `2026-11`.
  month text not null,
  part smallint not null,
  used bigint not null,
  primary key (account_id, month, part)
);
comment on table message_counts is 'features/limits';
