-- What is too old is found by its day, whoever has it.
create index postmaster_days_age on postmaster_days (day);
create index postmaster_loops_age on postmaster_loops (day);
create index postmaster_addresses_age on postmaster_addresses (day);
create index snds_days_age on snds_days (day);
