-- Processor time of browsers that went into pictures of this test which came to nothing.
alter table preview_tests add column wasted_ms integer not null default 0;
