-- When messages of a domain may leave; a domain without a row sends at any hour.
create table domain_calendars (
  domain_id text primary key references sending_domains (id) on delete cascade,
  account_id text not null references accounts (id),
  domain text not null,
  mode text not null check (mode in ('off', 'on')),
  -- Of recipients whose own is not known.
  time_zone text not null,
  -- 0 is Sunday.
  weekdays integer[] not null,
  -- Minutes of the day; both null: no quiet hours.
  quiet_from integer,
  quiet_until integer,
  updated_at timestamptz not null
);
create index domain_calendars_name on domain_calendars (account_id, domain);
comment on table domain_calendars is 'features/sending-calendars';
