-- When a domain's batches are held; a domain without a row has no breaker.
create table domain_breakers (
  domain_id text primary key references sending_domains (id) on delete cascade,
  account_id text not null references accounts (id),
  domain text not null,
  mode text not null check (mode in ('off', 'on')),
  sample integer not null,
  -- Percent of the sample.
  bounced_max integer not null,
  deferred_max integer not null,
  updated_at timestamptz not null
);
create index domain_breakers_name on domain_breakers (account_id, domain);
comment on table domain_breakers is 'features/sending-batches';

-- Messages that are judged together by their first deliveries.
create table sending_batches (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  domain text not null,
  kind text not null check (kind in ('message', 'tag', 'campaign')),
  name text not null,
  state text not null check (state in ('sampling', 'passed', 'held', 'released', 'dropped', 'expired')),
  sample integer not null,
  bounced_max integer not null,
  deferred_max integer not null,
  -- What was accepted until it passed or was decided.
  messages integer not null default 0,
  recipients integer not null default 0,
  size_bytes bigint not null default 0,
  -- Of the sample: how many are in it, and what is known of them.
  sampled integer not null default 0,
  delivered integer not null default 0,
  bounced integer not null default 0,
  deferred integer not null default 0,
  -- Those that were not tried, such as addresses on a list of suppressions.
  untried integer not null default 0,
  started_at timestamptz not null,
  -- Messages join it until then.
  joins_until timestamptz not null,
  first_outcome_at timestamptz,
  held_at timestamptz,
  held_until timestamptz,
  decided_at timestamptz,
  decided_by text,
  -- Whether all that it stopped has gone on, or was dropped.
  is_settled boolean not null default false
);
create index sending_batches_joined on sending_batches (account_id, domain, kind, name, id desc);
create index sending_batches_listed on sending_batches (account_id, id desc);
create index sending_batches_open on sending_batches (account_id, state) where state in ('sampling', 'held');
create index sending_batches_until on sending_batches (held_until) where state = 'held';
create index sending_batches_unsettled on sending_batches (id) where not is_settled;
create index sending_batches_age on sending_batches (started_at);
comment on table sending_batches is 'features/sending-batches';

create table batch_messages (
  message_id bigint primary key references sent_messages on delete cascade,
  account_id text not null references accounts (id),
  batch_id bigint not null references sending_batches on delete cascade
);
create index batch_messages_batch on batch_messages (batch_id, message_id);
comment on table batch_messages is 'features/sending-batches';

-- The first recipients of a batch; gone when it is judged.
create table batch_samples (
  message_id bigint not null references sent_messages on delete cascade,
  position integer not null,
  account_id text not null references accounts (id),
  batch_id bigint not null references sending_batches on delete cascade,
  outcome text check (outcome in ('delivered', 'bounced', 'deferred', 'untried')),
  primary key (message_id, position)
);
create index batch_samples_batch on batch_samples (batch_id);
comment on table batch_samples is 'features/sending-batches';
