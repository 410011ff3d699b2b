-- The bytes of each message that an account has given, kept once by their SHA-256, whatever is made from them. What was
-- stored before stays with what it was made for, and goes with it.
create table messages (
  account_id text not null references accounts (id),
  digest text not null,
  -- Whether the object is there for sure.
  is_stored boolean not null default false,
  primary key (account_id, digest)
);
comment on table messages is 'features/message';

-- What refers to a message; with the last of these it goes.
create table message_uses (
  -- Where the objects of what refers to it lie, such as `previews/…`.
  holder text not null,
  account_id text not null,
  digest text not null,
  -- Null once what refers to it is there.
  reserved_at timestamptz,
  primary key (holder, account_id, digest),
  foreign key (account_id, digest) references messages (account_id, digest)
);
create index message_uses_message on message_uses (account_id, digest);
create index message_uses_reserved on message_uses (reserved_at) where reserved_at is not null;
comment on table message_uses is 'features/message';
