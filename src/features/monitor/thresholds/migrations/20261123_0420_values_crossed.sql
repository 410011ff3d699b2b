-- For how many values of its dimension an alert on sending was crossed at its last look.
alter table send_alerts add column values_crossed integer not null default 0;
