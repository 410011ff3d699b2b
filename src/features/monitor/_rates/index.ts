// How sending went, in groups: what alerts, the health score and the providers' own figures are held against. Every
// number is counted from the events of messages; a summary of days may stand behind this function one day.
import { measureOf, NO_COUNTS, type Counts } from '../../../engines/sending-health/index.ts';
import type { EventPredicate, TallyDimension, TallyRow } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';

/**
 * `ip`: the address that the message left from; empty where none is known, as of what was captured. `pool`: the id of the
 * pool that it was in.
 */
export type RateDimension = 'day' | 'domain' | 'ip' | 'pool' | 'provider' | 'subaccount';

interface RatesQuery {
  accountIds: readonly string[];
  /** The first moment, included. */
  from: Date;
  /** The last one, not included. */
  to: Date;
  by: readonly RateDimension[];
  /** Only events of these; texts are compared without regard to case. `ips` needs `by` to name `ip`. */
  domains?: readonly string[] | undefined;
  providers?: readonly string[] | undefined;
  ips?: readonly string[] | undefined;
}

interface RateRow {
  /** By dimension: the account's id for `subaccount`, `2026-11-22` for `day`. */
  group: Readonly<Partial<Record<RateDimension, string>>>;
  counts: Counts;
}

interface Rates {
  /** In no order; groups without an event have none. */
  rows: RateRow[];
  /** There was more than could be counted: the numbers are lower bounds. */
  isBound: boolean;
}

const NAMES: Readonly<Record<RateDimension, TallyDimension>> = {
  day: 'day',
  domain: 'domain',
  ip: 'sendingIp',
  pool: 'ipPool',
  provider: 'provider',
  subaccount: 'account',
};

function groupOf({ group }: TallyRow, by: readonly RateDimension[]): RateRow['group'] {
  return Object.fromEntries(by.map((name) => [name, group[NAMES[name]] ?? '']));
}

function conditionsOf({ domains, providers }: RatesQuery): EventPredicate {
  return {
    all: [
      ...(domains ? [{ field: 'domain', is: 'in', values: domains } as const] : []),
      ...(providers ? [{ field: 'provider', is: 'in', values: providers } as const] : []),
    ],
  };
}

/**
 * Counts what became of messages, by groups. Exact up to the bounds of the log of events, and `isBound` beyond them.
 * Events of the last two seconds are not counted yet. By `ip`, what readers did and what came back late counts for the
 * address that delivered the message, when that was at most ten days before.
 */
export async function sendingRates({ events }: Pick<Outside, 'events'>, query: RatesQuery): Promise<Rates> {
  const { accountIds, from, to, by, ips } = query;
  if (accountIds.length === 0) return { rows: [], isBound: false };
  const dimensions = by.map((name) => NAMES[name]);
  const found = await events.tally({ accountIds, from, to, by: dimensions, where: conditionsOf(query) });
  const rows = new Map<string, RateRow>();
  for (const told of found.rows) {
    const measure = measureOf(told);
    if (measure === undefined) continue;
    const group = groupOf(told, by);
    if (ips && !ips.includes(group.ip ?? '')) continue;
    const key = JSON.stringify(group);
    const row = rows.get(key) ?? { group, counts: { ...NO_COUNTS } };
    row.counts[measure] += told.count;
    rows.set(key, row);
  }
  return { rows: [...rows.values()], isBound: found.isBound };
}
