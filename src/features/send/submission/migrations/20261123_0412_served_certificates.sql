-- The operator's certificates that programs see, as they were when they could be read last.
create table served_certificates (
  -- Where it is served.
  place text primary key,
  names text not null,
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  -- Somebody was told that it ends soon.
  is_ending boolean not null
);
comment on table served_certificates is 'features/submission';
