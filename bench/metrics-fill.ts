// Fills the sums of events as thirty days of sending would: the rows that gathering so many events of one account makes,
// written by one statement for each table.
import { COUNTERS, type Counter } from '../src/features/send/_figures/index.ts';
import { makeSpans } from '../src/platform/figures/index.ts';
import type { Db } from '../src/platform/db/index.ts';
import { setsOf, type Detail, type SumTable } from '../src/platform/figures/sets.ts';

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

/** The counters by their places above. */
const NAMES = {
  accepted: 0,
  delivered_at_once: 3,
  opened: 5,
  unique_opened: 6,
  clicked: 7,
  temporary: 11,
  bounce: 13,
} satisfies Partial<Record<Counter, number>>;
const COLUMNS = ['domain', 'provider', 'ip', 'ip_pool', 'country', 'device', 'bot'];
const DETAILS = { none: "''", tag: 'tag', recipientDomain: 'recipient_domain' };

/** Rows of every set of a table, as gathering writes them. */
function rowsOf(table: SumTable, unit: string, detail: Detail): string {
  const snake = (name: string): string => name.replace('P', '_p');
  const rows = setsOf(table, detail).map(({ number, columns }) => {
    const held = COLUMNS.filter((name) => columns.some((column) => snake(column) === name));
    const values = COLUMNS.map((name) => (held.includes(name) ? name : `''`)).join(', ');
    return `select ${number}, at, ${values}, detail, ${Object.keys(NAMES)
      .map((name) => `sum(${name})`)
      .join(', ')}
      from whole group by ${['at', 'detail', ...held].join(', ')}`;
  });
  return `
    with whole as materialized (
      select date_trunc('${unit}', moment, 'UTC') as at, ${COLUMNS.join(', ')}, ${DETAILS[detail]} as detail,
        ${Object.entries(NAMES)
          .map(([name, place]) => `count(*) filter (where counter = ${place}) as ${name}`)
          .join(', ')}
      from (${EVENTS}) told
      group by at, ${COLUMNS.join(', ')}, detail
    )
    ${rows.join(' union all ')}`;
}

/** Seconds it took. The database has no sums yet. Rows of a day stand together, as where they are gathered. */
export async function fill(db: Db, { accountId, events, now }: Fill): Promise<number> {
  const began = performance.now();
  const start = (now.getTime() - DAYS * DAY_MS) / 1000;
  const values = [accountId, start, (DAYS * 86_400) / events, events];
  for (const [table, unit] of [
    ['figure_hours', 'hour'],
    ['figure_days', 'day'],
  ] as const) {
    const details = (['none', 'tag', 'recipientDomain'] as const).filter((one) => setsOf(table, one).length > 0);
    const columns = ['at', ...COLUMNS, 'detail', ...Object.keys(NAMES)].join(', ');
    await db.text(
      `insert into ${table} (account_id, "grouping", ${columns})
       select $1::text, * from (${details.map((detail) => `(${rowsOf(table, unit, detail)})`).join(' union all ')}) held
       order by at`,
      values,
    );
  }
  for (const table of ['figure_hours', 'figure_days']) await db.text(`vacuum (analyze) ${table}`);
  const since = new Date(now.getTime() - 2 * DAYS * DAY_MS);
  await makeSpans(db, { since, now, counters: COUNTERS }, new AbortController().signal);
  await db.text('vacuum (analyze) figure_spans');
  return (performance.now() - began) / 1000;
}
