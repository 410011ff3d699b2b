-- What happened to messages, one row an event, a partition a day: retention is to drop one.
create sequence event_ids;
create table events (
  at timestamptz not null,
  -- Orders the events of one moment.
  id bigint not null default nextval('event_ids'),
  account_id text not null,
  -- Places in the lists of platform/event-log/kinds.ts.
  event smallint not null,
  severity smallint,
  reason text,
  domain text not null,
  recipient text not null,
  recipient_domain text not null,
  provider text not null,
  -- The message, and the place of the recipient in it; what is the same for all events of a message stands there.
  message_id bigint,
  position integer,
  attempt integer,
  code integer,
  about jsonb,
  primary key (at, id)
) partition by range (at);
create index events_pages on events (account_id, at desc, id desc)
  include (event, severity, domain, recipient_domain, provider, message_id);
create index events_recipients on events (account_id, recipient, at desc, id desc);
comment on table events is 'platform/event-log';
