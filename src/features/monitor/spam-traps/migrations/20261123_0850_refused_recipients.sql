-- Addresses and domains that refused an account's mail for good, until they accept: what accepts after a long time may
-- have become a trap.
create table refused_recipients (
  account_id text not null references accounts (id),
  kind text not null check (kind in ('address', 'domain')),
  -- In lower case.
  value text not null,
  first_refused_at timestamptz not null,
  last_refused_at timestamptz not null,
  refusals integer not null,
  -- When mail was accepted again. After a long time it is a finding; sooner, the row goes some days later.
  accepted_at timestamptz,
  primary key (account_id, kind, value)
);
create index refused_recipients_accepted on refused_recipients (account_id, accepted_at) where accepted_at is not null;
create index refused_recipients_age on refused_recipients (last_refused_at) where accepted_at is null;
create index refused_recipients_ended on refused_recipients (accepted_at) where accepted_at is not null;
comment on table refused_recipients is 'features/spam-traps';

-- How far the log of events has been read for them.
create table refusal_cursors (
  account_id text primary key references accounts (id),
  -- The first moment that was read.
  since timestamptz not null,
  at timestamptz not null,
  event_id bigint not null default 0,
  -- A refusal was not noted since the table was full.
  is_full boolean not null default false
);
comment on table refusal_cursors is 'features/spam-traps';
