-- CSS pixels of the area that shows the message in programs and webmail; null: what the catalog says.
alter table preview_tests add column pane_width integer;
