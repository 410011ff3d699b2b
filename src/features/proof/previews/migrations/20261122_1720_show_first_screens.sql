-- When there was something to see of the picture: its first screen, or all of it. Null for what was made before.
alter table preview_renders add column preview_at timestamptz;
-- The first screen of a long picture that is still to be made.
alter table preview_renders add column first_screen jsonb;
