-- Mail from outside is matched with the list that its recipient belongs to.
create index seed_lists_seeds on seed_lists using gin (seeds jsonb_path_ops);
