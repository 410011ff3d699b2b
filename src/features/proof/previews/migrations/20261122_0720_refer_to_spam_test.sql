-- The spam test that was asked for with the preview test, {"id", "addresses"}: where its message went.
alter table preview_tests add column spam jsonb;
