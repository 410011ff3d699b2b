-- Mail goes only to mailboxes that were logged in to, and few until one message was found there: a login alone does not
-- say that the address belongs to the mailbox.
alter table seed_mailboxes add column logged_in_at timestamptz;
alter table seed_mailboxes add column received_at timestamptz;
update seed_mailboxes set logged_in_at = checked_at where status = 'working';
update seed_mailboxes set received_at = (select max(received_at) from seed_deliveries where seed_kind = 'mailbox' and seed_id = seed_mailboxes.id and state = 'delivered');
create index seed_deliveries_mailbox on seed_deliveries (seed_id, first_attempt_at) where seed_kind = 'mailbox';
