-- What an account does with mail that comes in for its domains.
create table routes (
  id text primary key,
  account_id text not null references accounts (id),
  -- The lowest is looked at first.
  priority integer not null,
  description text not null,
  expression text not null,
  actions text[] not null,
  -- Steps that its expression may take for each character.
  cost integer not null,
  -- Of the service, as whoever made it calls it.
  base_url text not null,
  created_at timestamptz not null
);
create index routes_order on routes (account_id, priority, created_at, id);
comment on table routes is 'features/routes';

-- What routes do with messages: what waits to be done, and how it went.
create table route_deliveries (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  message_id bigint not null references sent_messages (id) on delete cascade,
  -- By its id alone: what a route began goes on when it is gone.
  route_id text not null,
  recipient text not null,
  does text not null check (does in ('forward_url', 'forward_address', 'notify')),
  target text not null,
  -- Starts addresses of the message that is told of.
  base_url text not null,
  state text not null check (state in ('waiting', 'delivered', 'rejected', 'failed')),
  attempts jsonb not null,
  due_at timestamptz not null,
  created_at timestamptz not null,
  unique (message_id, recipient, does, target)
);
create index route_deliveries_due on route_deliveries (due_at) where state = 'waiting';
create index route_deliveries_newest on route_deliveries (account_id, id desc);
comment on table route_deliveries is 'features/routes';
