-- One row, counted up in the transaction of every change to who may do what; answers that rest on an older count are asked anew.
create table access_version (
  is_only boolean primary key default true check (is_only),
  version bigint not null
);
insert into access_version (version) values (1);
comment on table access_version is 'features/accounts';
