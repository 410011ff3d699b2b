-- Parts of a picture with the pixels that the device's screen has, drawn when somebody first looks at them.
create table preview_sharp_parts (
  test_id text not null,
  key text not null,
  pixel_ratio double precision not null,
  -- From 1, each as high as the screen.
  part integer not null,
  status text not null check (status in ('pending', 'done', 'failed')),
  -- Why there is none; null unless it failed.
  reason text,
  -- CSS pixels of the whole document at this pixel ratio; null until it was drawn.
  content_height integer,
  primary key (test_id, key, pixel_ratio, part),
  foreign key (test_id, key) references preview_renders (test_id, key) on delete cascade
);
comment on table preview_sharp_parts is 'features/previews';
