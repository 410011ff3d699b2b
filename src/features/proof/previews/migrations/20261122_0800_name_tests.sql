-- What lists call the test: its subject, the title of its page, a file's name, or what somebody renamed it to.
alter table preview_tests add column name text not null default '';
update preview_tests set name = case
  when btrim(subject) <> '' then left(btrim(subject), 200)
  when source_url is not null then left(regexp_replace(source_url, '^https?://', ''), 200)
  else 'Untitled email' end;
