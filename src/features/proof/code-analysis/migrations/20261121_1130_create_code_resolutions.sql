-- Instances of a code analysis that somebody marked as resolved. Of no version: a later one has the same instance at the same place.
create table code_resolutions (
  inspection_id text not null references inspections (id) on delete cascade,
  instance_id text not null,
  resolved_at timestamptz not null,
  primary key (inspection_id, instance_id)
);
comment on table code_resolutions is 'features/code-analysis';
