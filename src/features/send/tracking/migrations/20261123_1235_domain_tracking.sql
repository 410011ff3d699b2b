-- What of the mail of a domain is tracked; a domain without a row tracks nothing.
create table domain_tracking (
  domain_id text primary key references sending_domains (id) on delete cascade,
  account_id text not null references accounts (id),
  -- `htmlonly`: links in plain text stay as they are.
  clicks text not null default 'no' check (clicks in ('no', 'yes', 'htmlonly')),
  opens boolean not null default false,
  is_pixel_at_top boolean not null default false,
  unsubscribes boolean not null default false,
  html_footer text not null,
  text_footer text not null,
  updated_at timestamptz not null
);
comment on table domain_tracking is 'features/tracking';
