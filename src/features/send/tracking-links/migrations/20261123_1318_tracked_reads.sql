-- Who has opened a message, and followed its links, once or more; programs that do so by themselves are left out.
create table tracked_reads (
  message_id bigint not null references sent_messages (id) on delete cascade,
  -- In the message's recipients.
  position integer not null,
  kind text not null check (kind in ('opened', 'clicked')),
  at timestamptz not null,
  primary key (message_id, position, kind)
);
comment on table tracked_reads is 'features/tracking-links';
