// Fills the sums of events as thirty days of sending would: the rows that gathering so many events makes, written by one
// statement for each table and grouping, and as many events of one account.
import type { Db } from '../src/platform/db/index.ts';

export const DAYS = 30;
const DAY_MS = 86_400_000;
/**
 * How many there are of each that sums tell apart. A sending domain has two IP addresses of one pool, and four tags; a
 * recipient's domain has one provider.
 */
const COUNTS = { domains: 10, providers: 8, ips: 2, countries: 20, devices: 4, tags: 4, recipients: 200 } as const;

interface Fill {
  accountId: string;
  events: number;
  now: Date;
}

/** Places of counters: accepted, delivered, opened, first opened, clicked, delayed, bounced. */
const COUNTER = `case when n % 10 < 4 then 0 when n % 10 < 7 then 3 when n % 10 = 7 then 5 when n % 40 < 10 then 6
  when n % 10 = 8 then 7 when n % 20 = 9 then 11 else 13 end`;
/** What readers did, which alone has a country and a device. */
const IS_READ = '(counter in (5, 6, 7))';

/** Every event with its columns; spread by primes, so that every value meets every other that it can. */
const EVENTS = `
  select moment, counter, 'd' || d || '.example.com' as domain,
    case when h % ${COUNTS.providers} = 0 then '' else 'provider' || h % ${COUNTS.providers} end as provider,
    case when counter = 0 then '' else '192.0.2.' || d % 3 * ${COUNTS.ips} + n / 13 % ${COUNTS.ips} end as ip,
    case when counter = 0 then '' else 'pool' || d % 3 end as ip_pool,
    case when ${IS_READ} then 'c' || n / 17 % ${COUNTS.countries} else '' end as country,
    case when ${IS_READ} then 'device' || n / 19 % ${COUNTS.devices} else '' end as device,
    case when ${IS_READ} and n / 23 % 3 = 0 then 'apple' else '' end as bot,
    'tag' || d || '-' || n / 29 % ${COUNTS.tags} as tag, 'host' || h || '.example' as recipient_domain
  from (
    select n, ${COUNTER} as counter, to_timestamp($2::float8 + n * $3::float8) as moment,
      n / 7 % ${COUNTS.domains} as d, n / 31 % ${COUNTS.recipients} as h
    from generate_series(0, $4::bigint - 1) n
  ) one`;

/** Seconds it took. The database has no sums yet. */
export async function fill(db: Db, { accountId, events, now }: Fill): Promise<number> {
  const began = performance.now();
  const start = (now.getTime() - DAYS * DAY_MS) / 1000;
  const values = [accountId, start, (DAYS * 86_400) / events, events];
  for (const [table, unit, groupings] of [
    ['figure_hours', 'hour', [0, 1]],
    ['figure_days', 'day', [0, 1, 2]],
  ] as const)
    for (const grouping of groupings)
      await db.text(
        `insert into ${table} (account_id, "grouping", at, counter, domain, provider, ip, ip_pool, country, device, bot,
           detail, n)
         select $1::text, ${grouping}, date_trunc('${unit}', moment, 'UTC'), counter, domain, provider, ip, ip_pool,
           country, device, bot, ${['', 'tag', 'recipient_domain'][grouping] || "''"} as detail, count(*)
         from (${EVENTS}) told
         group by 3, 4, 5, 6, 7, 8, 9, 10, 11, 12`,
        values,
      );
  for (const table of ['figure_hours', 'figure_days']) await db.text(`vacuum (analyze) ${table}`);
  return (performance.now() - began) / 1000;
}
