// What became of the messages of domains in the days that they are judged by.
import { judgeBand, WINDOW_DAYS, type Band, type Verdict } from '../../../engines/reputation-bands/index.ts';
import { measureOf, NO_COUNTS, sentOf, type Counts } from '../../../engines/sending-health/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { DAY_MS } from '../../../platform/times/index.ts';

type Doors = Pick<Outside, 'events'>;

interface Sender {
  accountId: string;
  name: string;
}

interface Sending {
  counts: Counts;
  daysSent: number;
  isBound: boolean;
}

/** Domains that are counted at once: the log tells only so many groups apart. */
const DOMAINS_MAX = 100;

const keyOf = (accountId: string, name: string): string => `${accountId} ${name}`;

function add(sum: Counts, more: Counts): Counts {
  const names = Object.keys(sum) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, sum[name] + more[name]])) as unknown as Counts;
}

/** Where there is more than can be counted at once, fewer domains are. */
async function count(doors: Doors, domains: readonly Sender[], now: Date): Promise<Map<string, Sending>> {
  const found = await doors.events.tally({
    accountIds: [...new Set(domains.map(({ accountId }) => accountId))],
    from: new Date(now.getTime() - WINDOW_DAYS * DAY_MS),
    to: now,
    by: ['account', 'domain', 'day'],
    where: { field: 'domain', is: 'in', values: [...new Set(domains.map(({ name }) => name))] },
  });
  if (found.isBound && domains.length > 1) {
    const half = Math.ceil(domains.length / 2);
    return new Map([
      ...(await count(doors, domains.slice(0, half), now)),
      ...(await count(doors, domains.slice(half), now)),
    ]);
  }
  const days = new Map<string, Map<string, Counts>>();
  for (const told of found.rows) {
    const measure = measureOf(told);
    if (measure === undefined) continue;
    const { account = '', domain = '', day = '' } = told.group;
    const key = keyOf(account, domain);
    const byDay = days.get(key) ?? new Map<string, Counts>();
    days.set(key, byDay);
    const counts = byDay.get(day) ?? { ...NO_COUNTS };
    byDay.set(day, counts);
    counts[measure] += told.count;
  }
  return new Map(
    domains.map(({ accountId, name }) => {
      const byDay = [...(days.get(keyOf(accountId, name))?.values() ?? [])];
      const daysSent = byDay.filter((counts) => sentOf(counts) > 0).length;
      return [
        keyOf(accountId, name),
        { counts: byDay.reduce(add, NO_COUNTS), daysSent, isBound: found.isBound },
      ] as const;
    }),
  );
}

/** Where a domain is: null for none. */
interface Place extends Sender {
  band: Band | null;
  bandedAt: Date | null;
}

/** Judges domains by their last days, in the order in which they are given. */
export async function judge(doors: Doors, places: readonly Place[], now: Date): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let start = 0; start < places.length; start += DOMAINS_MAX) {
    const part = places.slice(start, start + DOMAINS_MAX);
    const sending = await count(doors, part, now);
    for (const { accountId, name, band, bandedAt } of part) {
      const heldDays = bandedAt === null ? 0 : (now.getTime() - bandedAt.getTime()) / DAY_MS;
      verdicts.push(judgeBand({ ...sending.get(keyOf(accountId, name))!, band, heldDays }));
    }
  }
  return verdicts;
}
