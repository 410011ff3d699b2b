-- What an account has under way is counted before it begins more.
create index inspections_processing on inspections (account_id) where status = 'Processing';
