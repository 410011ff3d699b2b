-- What is watched: IP addresses, domains, and email addresses of domains.
create table blocklist_targets (
  id text primary key,
  account_id text not null references accounts (id),
  kind text not null check (kind in ('ip4', 'ip6', 'domain', 'email')),
  -- In its one spelling.
  name text not null,
  -- The domain of an email address; otherwise empty.
  parent text not null default '',
  created_at timestamptz not null,
  checked_at timestamptz,
  -- When every list is asked again, and when anything is: a second look comes earlier.
  due_at timestamptz not null,
  next_at timestamptz not null,
  -- What the last sweep found beside listings: see features/blocklists.
  result jsonb not null default '{}'
);
create unique index blocklist_targets_own on blocklist_targets (account_id, kind, parent, name);
create index blocklist_targets_next on blocklist_targets (next_at);
comment on table blocklist_targets is 'features/blocklists';

-- Lists that a target is on, or seems to be on or off until a second look.
create table blocklist_listings (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  target_id text not null references blocklist_targets (id) on delete cascade,
  zone text not null,
  list_name text not null,
  state text not null check (state in ('suspected', 'listed', 'leaving')),
  codes jsonb not null,
  -- What the list says of it (TXT).
  reason text,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  -- Since when it is not seen any more.
  left_at timestamptz,
  delist_requested_at timestamptz,
  comments jsonb not null default '[]'
);
create unique index blocklist_listings_one on blocklist_listings (target_id, zone);
create index blocklist_listings_account on blocklist_listings (account_id);
comment on table blocklist_listings is 'features/blocklists';

-- What came onto lists and off them. Stays when the target goes.
create table blocklist_events (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  kind text not null check (kind in ('ip4', 'ip6', 'domain', 'email')),
  name text not null,
  parent text not null default '',
  zone text not null,
  list_name text not null,
  event text not null check (event in ('listed', 'delisted')),
  at timestamptz not null,
  codes jsonb not null,
  reason text
);
create index blocklist_events_account on blocklist_events (account_id, id);
create index blocklist_events_age on blocklist_events (at);
comment on table blocklist_events is 'features/blocklists';

-- How each list fares from here: its last test, and the questions of the day.
create table blocklist_health (
  zone text not null,
  kind text not null check (kind in ('ip4', 'ip6', 'domain', 'email')),
  is_live boolean not null default false,
  -- Why it is not believed.
  why text not null default '',
  probed_at timestamptz,
  -- UTC: 2026-11-23.
  day text not null,
  questions integer not null default 0,
  primary key (zone, kind)
);
comment on table blocklist_health is 'features/blocklists';
