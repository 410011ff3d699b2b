-- What a key signs: alerts have one of their own.
alter table signing_keys add column purpose text not null default 'webhooks';
alter table signing_keys drop constraint signing_keys_pkey;
alter table signing_keys add primary key (account_id, purpose);
