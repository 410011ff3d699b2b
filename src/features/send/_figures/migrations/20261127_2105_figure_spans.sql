-- Sums of five whole days each, so that a query over a month reads few rows. They are made from sums by the day when their
-- days are over (platform/figures/spans.ts); what has none is read by the day.
create table figure_spans (like figure_days including defaults including constraints);
alter table figure_spans
  add primary key (account_id, "grouping", at, domain, provider, ip, ip_pool, country, device, bot, detail);
comment on table figure_spans is 'features/figures';

-- Which are made: a row for each span and set of columns. What adds to a day that is over deletes those of its span, and
-- they are made anew.
create table figure_span_marks (
  "grouping" smallint not null,
  at timestamptz not null,
  primary key ("grouping", at)
);
comment on table figure_span_marks is 'features/figures';

-- What has aged is found in these, and queries of figures are not: they would read the sums of every set of a day, because
-- those of a day stand together, where the key leads to those of one set.
drop index figure_hours_age;
drop index figure_days_age;
create index figure_hours_age on figure_hours ((at at time zone 'UTC'));
create index figure_days_age on figure_days ((at at time zone 'UTC'));
create index figure_spans_age on figure_spans ((at at time zone 'UTC'));
