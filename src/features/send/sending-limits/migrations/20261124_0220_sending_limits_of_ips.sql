-- What leaves from an address is limited, too.
alter table sending_limits drop constraint sending_limits_scope_check;
alter table sending_limits add constraint sending_limits_scope_check
  check (scope in ('account', 'domain', 'provider', 'ip'));
