-- Work that waits or runs; a job that is done is deleted.
create sequence job_places;
create table jobs (
  id bigint generated always as identity primary key,
  name text not null,
  -- What it exhausts: browsers, the network, mail servers, or nothing much.
  lane text not null,
  payload jsonb not null,
  -- Whose work it is; 'service' for the service's own.
  account_id text not null,
  urgency text not null check (urgency in ('interactive', 'bulk')),
  -- What it is a part of, such as a preview test.
  part_of text,
  -- Of jobs of one name that say the same here only one waits.
  same_as text,
  state text not null default 'waiting' check (state in ('waiting', 'running')),
  -- Order among the jobs of its account. A retry gets a new one, and so goes to the end.
  place bigint not null default nextval('job_places'),
  -- Tries that were begun, the present one too. One that was cut off by a stop or a kill does not count.
  attempts integer not null default 0,
  -- How often it ran in a process that died.
  losses integer not null default 0,
  run_at timestamptz not null,
  worker text,
  started_at timestamptz,
  created_at timestamptz not null default now(),
  last_error text
);
create index jobs_waiting on jobs (lane, account_id, urgency, place) where state = 'waiting';
create index jobs_running on jobs (worker) where state = 'running';
create index jobs_same_as on jobs (name, same_as) where state = 'waiting';
create index jobs_part_of on jobs (part_of);
comment on table jobs is 'platform/jobs';

-- What an account has had of a lane lately, in milliseconds; bulk work counts several times. The least goes first.
-- Accounts that have no jobs in the lane have no row, and join at what the lane says.
create table job_turns (
  lane text not null,
  account_id text not null,
  urgency text not null,
  served double precision not null,
  primary key (lane, account_id, urgency)
) with (fillfactor = 50);
comment on table job_turns is 'platform/jobs';

-- How far a lane has come: what the account whose turn came last had had by then.
create table job_lanes (
  lane text primary key,
  served double precision not null
) with (fillfactor = 50);
comment on table job_lanes is 'platform/jobs';

-- Processes that run jobs. One that was not seen for some seconds is dead, and its jobs go to others.
create table job_workers (
  id text primary key,
  seen_at timestamptz not null
);
comment on table job_workers is 'platform/jobs';
