-- Copies for the members of a mailing list are a batch.
alter table sending_batches drop constraint sending_batches_kind_check;
alter table sending_batches add constraint sending_batches_kind_check
  check (kind in ('message', 'tag', 'campaign', 'list'));
