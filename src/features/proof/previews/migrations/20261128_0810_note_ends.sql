-- When each client of the test was completed or bounced for the first time; null: not yet, or before this was kept.
alter table preview_tests add column ended_at timestamptz;
