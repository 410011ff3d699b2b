-- Events that are in no sum yet: a row for each statement that wrote some, in its transaction. Who counts them takes the
-- rows away in the transaction that writes the sums, so that each event is counted once, whatever ends between.
create table uncounted_events (
  id bigint generated always as identity primary key,
  size integer not null,
  ats timestamptz[] not null,
  ids bigint[] not null
);
comment on table uncounted_events is 'platform/event-log';

-- What was written before there were sums.
insert into uncounted_events (size, ats, ids)
select count(*), array_agg(at order by at, id), array_agg(id order by at, id)
from (select at, id, (row_number() over (order by at, id) - 1) / 1000 as part from events) old
group by part
order by part;
