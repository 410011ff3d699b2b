-- A row of sums holds every counter (null: none). Beside the rows that tell apart by all columns there are rows that
-- tell apart by a few of them, so that a query that asks for few reads few. `grouping`: a sum of what a
-- row tells apart: 1 domain, 2 provider, 4 IP address and pool, 8 country, 16 device and bot, 32 tag, 64 recipient's
-- domain; other columns are empty. Which sets are held: platform/figures/sets.ts.
alter table figure_hours rename to counted_hours;
alter table figure_days rename to counted_days;

create table figure_hours (
  account_id text not null,
  "grouping" smallint not null,
  at timestamptz not null,
  domain text not null,
  provider text not null,
  ip text not null,
  ip_pool text not null,
  country text not null,
  device text not null,
  bot text not null,
  -- The tag or the recipient's domain.
  detail text not null,
  accepted bigint,
  stored bigint,
  rejected bigint,
  delivered_at_once bigint,
  delivered_later bigint,
  opened bigint,
  unique_opened bigint,
  clicked bigint,
  unique_clicked bigint,
  unsubscribed bigint,
  complained bigint,
  temporary bigint,
  temporary_espblock bigint,
  bounce bigint,
  delayed_bounce bigint,
  espblock bigint,
  soft bigint,
  old bigint,
  suppress_bounce bigint,
  suppress_unsubscribe bigint,
  suppress_complaint bigint,
  webhook bigint,
  permanent_other bigint
);
create table figure_days (like figure_hours including all);

insert into figure_hours
select account_id, 31 + "grouping" * 32, at, domain, provider, ip, ip_pool, country, device, bot, detail,
  sum(n) filter (where counter = 0), sum(n) filter (where counter = 1), sum(n) filter (where counter = 2),
  sum(n) filter (where counter = 3), sum(n) filter (where counter = 4), sum(n) filter (where counter = 5),
  sum(n) filter (where counter = 6), sum(n) filter (where counter = 7), sum(n) filter (where counter = 8),
  sum(n) filter (where counter = 9), sum(n) filter (where counter = 10), sum(n) filter (where counter = 11),
  sum(n) filter (where counter = 12), sum(n) filter (where counter = 13), sum(n) filter (where counter = 14),
  sum(n) filter (where counter = 15), sum(n) filter (where counter = 16), sum(n) filter (where counter = 17),
  sum(n) filter (where counter = 18), sum(n) filter (where counter = 19), sum(n) filter (where counter = 20),
  sum(n) filter (where counter = 21), sum(n) filter (where counter = 22)
from counted_hours
group by account_id, "grouping", at, domain, provider, ip, ip_pool, country, device, bot, detail;

insert into figure_days
select account_id, 31 + "grouping" * 32, at, domain, provider, ip, ip_pool, country, device, bot, detail,
  sum(n) filter (where counter = 0), sum(n) filter (where counter = 1), sum(n) filter (where counter = 2),
  sum(n) filter (where counter = 3), sum(n) filter (where counter = 4), sum(n) filter (where counter = 5),
  sum(n) filter (where counter = 6), sum(n) filter (where counter = 7), sum(n) filter (where counter = 8),
  sum(n) filter (where counter = 9), sum(n) filter (where counter = 10), sum(n) filter (where counter = 11),
  sum(n) filter (where counter = 12), sum(n) filter (where counter = 13), sum(n) filter (where counter = 14),
  sum(n) filter (where counter = 15), sum(n) filter (where counter = 16), sum(n) filter (where counter = 17),
  sum(n) filter (where counter = 18), sum(n) filter (where counter = 19), sum(n) filter (where counter = 20),
  sum(n) filter (where counter = 21), sum(n) filter (where counter = 22)
from counted_days
group by account_id, "grouping", at, domain, provider, ip, ip_pool, country, device, bot, detail;

insert into figure_days
select account_id,
  1 * (1 - grouping(domain)) + 2 * (1 - grouping(provider)) + 4 * (1 - grouping(ip)) + 8 * (1 - grouping(country)) +
  16 * (1 - grouping(device)), at,
  coalesce(domain, ''), coalesce(provider, ''), coalesce(ip, ''), coalesce(ip_pool, ''), coalesce(country, ''),
  coalesce(device, ''), coalesce(bot, ''), detail,
  sum(accepted), sum(stored), sum(rejected), sum(delivered_at_once), sum(delivered_later), sum(opened),
  sum(unique_opened), sum(clicked), sum(unique_clicked), sum(unsubscribed), sum(complained), sum(temporary),
  sum(temporary_espblock), sum(bounce), sum(delayed_bounce), sum(espblock), sum(soft), sum(old),
  sum(suppress_bounce), sum(suppress_unsubscribe), sum(suppress_complaint), sum(webhook), sum(permanent_other)
from figure_days
where "grouping" = 31
group by account_id, at, detail, grouping sets (
  (), (domain), (domain, ip, ip_pool), (domain, provider), (provider, ip, ip_pool), (ip, ip_pool, device, bot),
  (provider, device, bot), (domain, device, bot), (ip, ip_pool, country), (provider, country),
  (country, device, bot), (domain, country)
);

insert into figure_days
select account_id,
  32 + 1 * (1 - grouping(domain)) + 2 * (1 - grouping(provider)) + 4 * (1 - grouping(ip)) +
  8 * (1 - grouping(country)) + 16 * (1 - grouping(device)), at,
  coalesce(domain, ''), coalesce(provider, ''), coalesce(ip, ''), coalesce(ip_pool, ''), coalesce(country, ''),
  coalesce(device, ''), coalesce(bot, ''), detail,
  sum(accepted), sum(stored), sum(rejected), sum(delivered_at_once), sum(delivered_later), sum(opened),
  sum(unique_opened), sum(clicked), sum(unique_clicked), sum(unsubscribed), sum(complained), sum(temporary),
  sum(temporary_espblock), sum(bounce), sum(delayed_bounce), sum(espblock), sum(soft), sum(old),
  sum(suppress_bounce), sum(suppress_unsubscribe), sum(suppress_complaint), sum(webhook), sum(permanent_other)
from figure_days
where "grouping" = 63
group by account_id, at, detail, grouping sets (
  (domain, ip, ip_pool), (domain, provider), (domain, device, bot), (domain, country)
);

insert into figure_days
select account_id,
  64 + 1 * (1 - grouping(domain)) + 2 * (1 - grouping(provider)) + 4 * (1 - grouping(ip)) +
  8 * (1 - grouping(country)) + 16 * (1 - grouping(device)), at,
  coalesce(domain, ''), coalesce(provider, ''), coalesce(ip, ''), coalesce(ip_pool, ''), coalesce(country, ''),
  coalesce(device, ''), coalesce(bot, ''), detail,
  sum(accepted), sum(stored), sum(rejected), sum(delivered_at_once), sum(delivered_later), sum(opened),
  sum(unique_opened), sum(clicked), sum(unique_clicked), sum(unsubscribed), sum(complained), sum(temporary),
  sum(temporary_espblock), sum(bounce), sum(delayed_bounce), sum(espblock), sum(soft), sum(old),
  sum(suppress_bounce), sum(suppress_unsubscribe), sum(suppress_complaint), sum(webhook), sum(permanent_other)
from figure_days
where "grouping" = 95
group by account_id, at, detail, grouping sets (
  (provider), (ip, ip_pool), (device, bot), (domain), (country)
);

drop table counted_hours, counted_days;
alter table figure_hours
  add primary key (account_id, "grouping", at, domain, provider, ip, ip_pool, country, device, bot, detail);
alter table figure_days
  add primary key (account_id, "grouping", at, domain, provider, ip, ip_pool, country, device, bot, detail);
create index figure_hours_age on figure_hours (at);
create index figure_days_age on figure_days (at);
comment on table figure_hours is 'features/figures';
comment on table figure_days is 'features/figures';
