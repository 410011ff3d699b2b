-- Who may look at an email by a link, without an account. The token is shown once; its digest is kept.
create table review_links (
  id text primary key,
  account_id text not null references accounts (id),
  email_id text not null references emails (id) on delete cascade,
  -- Of the reviewer.
  name text not null,
  digest bytea not null unique,
  -- Null: the link alone opens it.
  password_hash text,
  -- Of whoever made it.
  made_by text not null,
  opened_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index review_links_email on review_links (email_id, created_at desc);
create index review_links_account on review_links (account_id);
comment on table review_links is 'features/reviews';

-- What people say of a version; replies stand under the first comment of their thread.
create table review_comments (
  id text primary key,
  account_id text not null references accounts (id),
  email_id text not null,
  number integer not null,
  -- Null: it begins a thread.
  thread_id text references review_comments (id) on delete cascade,
  -- The client in whose picture it is pinned; null: it is about the version.
  client text,
  -- Shares of the picture's width and height; null: about the whole picture.
  x double precision,
  y double precision,
  body text not null,
  author_kind text not null check (author_kind in ('user', 'key', 'reviewer')),
  author_id text not null,
  author_name text not null,
  created_at timestamptz not null,
  -- Of a thread.
  resolved_at timestamptz,
  resolved_by text,
  foreign key (email_id, number) references email_versions (email_id, number) on delete cascade
);
create index review_comments_version on review_comments (email_id, number, created_at);
create index review_comments_thread on review_comments (thread_id);
create index review_comments_account on review_comments (account_id);
comment on table review_comments is 'features/reviews';

-- What each person decided about a version.
create table review_verdicts (
  email_id text not null,
  number integer not null,
  account_id text not null references accounts (id),
  author_kind text not null check (author_kind in ('user', 'key', 'reviewer')),
  author_id text not null,
  author_name text not null,
  decision text not null check (decision in ('approved', 'changes_requested')),
  note text not null,
  decided_at timestamptz not null,
  primary key (email_id, number, author_kind, author_id),
  foreign key (email_id, number) references email_versions (email_id, number) on delete cascade
);
create index review_verdicts_account on review_verdicts (account_id);
comment on table review_verdicts is 'features/reviews';
