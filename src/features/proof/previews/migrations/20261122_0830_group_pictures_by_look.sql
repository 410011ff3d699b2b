-- Which pictures of a test look the same: the key of the first of them (`looks.ts`).
alter table preview_renders add column look text;
