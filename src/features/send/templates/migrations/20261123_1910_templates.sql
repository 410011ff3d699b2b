-- Texts that messages are made from. Those of a domain end with it.
create table templates (
  id text primary key,
  account_id text not null references accounts (id),
  -- Null: it is the account's, for all of its domains.
  domain_id text references sending_domains (id) on delete cascade,
  name text collate "C" not null,
  description text not null,
  created_by text not null,
  created_at timestamptz not null
);
create unique index templates_of_domain on templates (account_id, domain_id, name) where domain_id is not null;
create unique index templates_of_account on templates (account_id, name) where domain_id is null;
create index templates_domain on templates (domain_id);
comment on table templates is 'features/templates';

create table template_versions (
  id text primary key,
  account_id text not null references accounts (id),
  template_id text not null references templates (id) on delete cascade,
  tag text collate "C" not null,
  template text not null,
  comment text not null,
  headers jsonb not null,
  is_active boolean not null,
  created_at timestamptz not null,
  unique (template_id, tag)
);
create unique index template_versions_active on template_versions (template_id) where is_active;
create index template_versions_account on template_versions (account_id);
comment on table template_versions is 'features/templates';
