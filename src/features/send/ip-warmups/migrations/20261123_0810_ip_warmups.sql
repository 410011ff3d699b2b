-- Addresses that are new to receivers, and what may leave from them now.
create table ip_warmups (
  ip text primary key references sending_ips (ip) on delete cascade,
  -- The address is this account's.
  account_id text not null references accounts (id),
  -- Messages of each stage, in order.
  volumes jsonb not null,
  -- From 1.
  stage integer not null,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  stage_started_at timestamptz not null,
  -- Events from then on count for the stage.
  counted_from timestamptz not null,
  looked_at timestamptz not null,
  -- Messages that left in earlier stages.
  sent_before bigint not null default 0,
  -- The last stage is through; null: the address is warming up.
  warm_at timestamptz,
  -- The throttle: what left in this hour and stage, and what may leave at once.
  hour_started_at timestamptz not null,
  hourly_limit integer not null,
  sent_in_hour integer not null,
  sent_in_stage integer not null,
  tokens double precision not null,
  filled_at timestamptz not null
);
create index ip_warmups_account on ip_warmups (account_id, ip);
comment on table ip_warmups is 'features/ip-warmups';

-- What followed from each stage, with the numbers that it followed from.
create table ip_warmup_decisions (
  id bigint generated always as identity primary key,
  ip text not null references ip_warmups (ip) on delete cascade,
  account_id text not null references accounts (id),
  stage integer not null,
  volume integer not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  sent integer not null,
  verdict text not null check (verdict in ('advance', 'hold', 'step back')),
  next_stage integer not null,
  signals jsonb not null,
  -- More happened than could be counted: shares are of what was.
  is_bound boolean not null,
  why text not null
);
create index ip_warmup_decisions_ip on ip_warmup_decisions (ip, id);
comment on table ip_warmup_decisions is 'features/ip-warmups';
