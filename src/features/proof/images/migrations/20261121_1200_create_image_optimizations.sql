-- What optimising made of one stored image of an image test; images that share a file share the row.
create table image_optimizations (
  inspection_id text not null references inspections (id) on delete cascade,
  version integer not null,
  file text not null,
  status text not null check (status in ('Processing', 'Complete', 'Failed')),
  outcome jsonb,
  error text,
  updated_at timestamptz not null,
  primary key (inspection_id, version, file)
);
comment on table image_optimizations is 'features/images';
