-- Addresses to which the sandbox domain of an account delivers.
create table sandbox_recipients (
  account_id text not null references accounts (id),
  -- In lower case, the domain in its xn-- form.
  email text not null,
  -- Of the link in the last mail, and the mode in which that was sent.
  token text not null,
  mode text not null check (mode in ('capture', 'live')),
  invited_at timestamptz not null,
  -- The mode of the mail whose link was followed: one that was captured shows nothing about the mailbox.
  activated_in text check (activated_in in ('capture', 'live')),
  -- The mail is tried from then on; null: there is nothing more to send.
  send_at timestamptz,
  tries integer not null default 0,
  -- Why the last try failed.
  problem text,
  created_at timestamptz not null,
  primary key (account_id, email)
);
create unique index sandbox_recipients_token on sandbox_recipients (token);
create index sandbox_recipients_due on sandbox_recipients (send_at) where send_at is not null;
comment on table sandbox_recipients is 'features/sandbox-recipients';

-- Mails that asked somebody, of one day: there is a bound for each account, whatever it deletes and adds again.
create table sandbox_invitations (
  account_id text not null references accounts (id),
  sent_at timestamptz not null
);
create index sandbox_invitations_account on sandbox_invitations (account_id, sent_at);
comment on table sandbox_invitations is 'features/sandbox-recipients';
