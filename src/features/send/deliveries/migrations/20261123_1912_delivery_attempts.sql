-- What was said to servers at each attempt to deliver: the first of a recipient and the last nine.
create table delivery_attempts (
  -- Goes with the message.
  message_id bigint not null references sent_messages on delete cascade,
  -- In the message's recipients.
  position integer not null,
  attempt integer not null,
  account_id text not null,
  -- When it was written down, as in its event.
  at timestamptz not null,
  outcome text not null check (outcome in ('delivered', 'deferred', 'failed')),
  conversation jsonb not null,
  primary key (message_id, position, attempt)
);
comment on table delivery_attempts is 'features/deliveries';
