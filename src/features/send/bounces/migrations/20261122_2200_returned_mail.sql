-- What came back for a delivery: each kind counts once, however often servers report it.
create table returned_mail (
  message_id bigint not null references sent_messages on delete cascade,
  position integer not null,
  kind text not null check (kind in ('bounce', 'complaint')),
  account_id text not null references accounts (id),
  at timestamptz not null,
  primary key (message_id, position, kind)
);
comment on table returned_mail is 'features/bounces';
