import type { Static } from 'typebox';
import { invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { sumUses } from '../../account/limits/index.ts';
import { bucketsIn, HOURS_KEPT_DAYS, readFigures, type Resolution } from '../_figures/index.ts';
import { USAGE_NAMES, type queryUsage as contract } from './contract.ts';
import { countersOf, metricOf } from './names.ts';
import { accountNames, accountsOf, echoOf, pageOf, rangeOf, wireDate, type Row } from './query.ts';
import { USES, type UsageName } from './usage-names.ts';

type Doors = Pick<Context, 'db' | 'clock' | 'principal'>;
type Body = Static<NonNullable<typeof contract.body>>;
type Group = Readonly<Record<string, string>>;

interface Query {
  accountIds: readonly string[];
  from: Date;
  to: Date;
  resolution: Resolution;
  by: readonly ('time' | 'subaccount')[];
}

/** Of each group, what is counted of a name; undefined: it is not counted. */
async function countsOf(doors: Doors, name: UsageName, query: Query): Promise<Map<string, number> | undefined> {
  const { by } = query;
  const found = new Map<string, number>();
  const keyOf = (group: Partial<Group>): string => JSON.stringify(by.map((dimension) => group[dimension]));
  const add = (group: Partial<Group>, count: number): void =>
    void found.set(keyOf(group), (found.get(keyOf(group)) ?? 0) + count);
  if (name === 'processed_count') {
    const counters = countersOf([name]);
    for (const { group, counts } of await readFigures(doors, { ...query, where: [], counters }))
      add(group, metricOf(name, counts) ?? 0);
    return found;
  }
  const metric = USES[name];
  if (!metric) return undefined;
  for (const { accountId, startsAt, used } of await sumUses(doors.db, query.accountIds, { ...query, metric }))
    add({ subaccount: accountId, time: startsAt.toISOString() }, used);
  return found;
}

/** Every group that there can be. */
function groupsOf({ by, accountIds, from, to, resolution }: Query): Group[] {
  return by.reduce<Group[]>(
    (groups, name) =>
      groups.flatMap((group) =>
        (name === 'time' ? bucketsIn({ from, to }, resolution).map((at) => at.toISOString()) : accountIds).map(
          (value) => ({ ...group, [name]: value }),
        ),
      ),
    [{}],
  );
}

/** What was used, in groups. Throws `invalid_request` naming the field. */
export async function queryUsage(doors: Doors, body: Body) {
  const conditions = (body.filter?.AND ?? []) as { attribute: string }[];
  if (conditions.some(({ attribute }) => attribute !== 'subaccount'))
    throw invalid('filter.AND.attribute', 'must be subaccount: nothing else is told apart of what was used.');
  const { resolution, dimensions: by, include_aggregates: isWithAll } = body;
  // Uses are kept for as long, whatever they are told by.
  const now = doors.clock.now();
  const range = rangeOf(body as Parameters<typeof rangeOf>[0], now, daysAfter(now, -HOURS_KEPT_DAYS));
  const names = [...new Set(body.metrics?.length ? body.metrics : USAGE_NAMES)];
  const accountIds = await accountsOf(doors, body as Parameters<typeof accountsOf>[1]);
  const query: Query = { accountIds, ...range, resolution, by };
  const valuesOf = async (asked: Query) => {
    const counts = new Map<UsageName, Map<string, number> | undefined>();
    for (const name of names) counts.set(name, await countsOf(doors, name, asked));
    return (group: Group): Row<number | null>['metrics'] =>
      Object.fromEntries(
        names.map((name) => {
          const found = counts.get(name);
          return [name, found ? (found.get(JSON.stringify(asked.by.map((one) => group[one]))) ?? 0) : null];
        }),
      );
  };
  const values = await valuesOf(query);
  const rows = groupsOf(query).map((group) => ({ group, metrics: values(group) }));
  const { items, pagination } = pageOf(rows, body.pagination as Parameters<typeof pageOf>[1], { by, metrics: names });
  const called = by.includes('subaccount') ? await accountNames(doors.db, accountIds) : new Map<string, string>();
  const shown = (dimension: string, given: string) => {
    const value = dimension === 'time' ? wireDate(new Date(given)) : given;
    return { dimension, value, display_value: called.get(given) ?? value };
  };
  return {
    ...echoOf(body, range),
    pagination,
    items: items.map(({ group, metrics }) => ({
      dimensions: by.map((name) => shown(name, group[name] as string)),
      metrics,
    })),
    ...(isWithAll && { aggregates: { metrics: (await valuesOf({ ...query, by: [] }))({}) } }),
  };
}
