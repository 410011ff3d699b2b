-- The column said which checks were wanted; it now says what became of each: an id, an error, or null.
update preview_tests set content_checking = (
  select coalesce(jsonb_object_agg(name, case when wanted = 'true' then '{"error": "This test was made before checks were run."}'::jsonb else 'null'::jsonb end), '{}')
  from jsonb_each(content_checking) as each_check (name, wanted)
) where content_checking <> '{}';
