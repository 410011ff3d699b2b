-- Findings are uniform over all kinds: reports of every format are made from them.
alter table inspections add column findings jsonb not null default '[]';
-- What lists are searched by; never shown.
alter table inspections add column facets jsonb not null default '{}';
-- When the present version was asked for.
alter table inspections add column version_created_at timestamptz;
update inspections set version_created_at = created_at;
alter table inspections alter column version_created_at set not null;
create index inspections_facets on inspections using gin (facets jsonb_path_ops);

-- Earlier versions of those kinds that keep them.
create table inspection_versions (
  inspection_id text not null references inspections (id) on delete cascade,
  version integer not null,
  status text not null,
  result jsonb,
  findings jsonb not null,
  summary jsonb not null,
  error text,
  version_created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (inspection_id, version)
);
comment on table inspection_versions is 'features/inspections';
