-- What all domains of an account know of an address.
create index suppressions_addresses on suppressions (account_id, address);
