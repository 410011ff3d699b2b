import type { Static } from 'typebox';
import type { Context } from '../../../platform/feature/index.ts';
import {
  bucketsIn,
  readFigures,
  type FigureCondition,
  type FigureDimension,
  type FigureRow,
} from '../_figures/index.ts';
import { listPools } from '../ip-pools/index.ts';
import { METRIC_NAMES, type queryMetrics as contract } from './contract.ts';
import { countersOf, metricsView, type MetricName } from './names.ts';
import { accountNames, accountsOf, echoOf, pageOf, rangeOf, wireDate, type Condition, type Row } from './query.ts';

type Doors = Pick<Context, 'db' | 'clock' | 'principal'>;
type Body = Static<NonNullable<typeof contract.body>>;

function conditionsOf(conditions: readonly Condition[]): FigureCondition[] {
  return conditions
    .filter(({ attribute }) => attribute !== 'subaccount')
    .map(({ attribute, comparator, values }) => ({
      dimension: attribute as FigureCondition['dimension'],
      is: comparator.endsWith('contains') ? 'contains' : 'in',
      values: values.map(({ value }) => value),
      isNot: comparator === '!=' || comparator === 'not contains',
    }));
}

/** What ids are called. */
async function displayNames({ db, principal }: Doors, by: readonly string[], items: readonly Row[]) {
  const names: Record<string, Map<string, string>> = {};
  if (by.includes('subaccount'))
    names['subaccount'] = await accountNames(
      db,
      items.map(({ group }) => group['subaccount'] as string),
    );
  if (by.includes('ip_pool'))
    names['ip_pool'] = new Map((await listPools(db, principal.accountId)).map(({ id, name }) => [id, name]));
  return (dimension: string, value: string): string => names[dimension]?.get(value) ?? value;
}

/** With time alone, each hour, day or month is there, also when nothing happened; without a dimension, the one group. */
function complete(rows: readonly FigureRow[], by: readonly FigureDimension[], times: () => Date[]): FigureRow[] {
  if (by.length === 0) return rows.length === 0 ? [{ group: {}, counts: {} }] : [...rows];
  if (by.length > 1 || by[0] !== 'time') return [...rows];
  const found = new Map(rows.map((row) => [row.group.time, row]));
  return times().map((at) => found.get(at.toISOString()) ?? { group: { time: at.toISOString() }, counts: {} });
}

/** Metrics in groups. Throws `invalid_request` naming the field. */
export async function queryMetrics(doors: Doors, body: Body) {
  const now = doors.clock.now();
  const { resolution, dimensions: by, include_aggregates: isWithAll } = body;
  const range = rangeOf(body as Parameters<typeof rangeOf>[0], now);
  const metrics: readonly MetricName[] = [...new Set(body.metrics?.length ? body.metrics : METRIC_NAMES)];
  const accountIds = await accountsOf(doors, body as Parameters<typeof accountsOf>[1]);
  const where = conditionsOf((body.filter?.AND ?? []) as Condition[]);
  const query = { accountIds, ...range, resolution, where, counters: countersOf(metrics) };
  const read = await readFigures(doors, { ...query, by });
  const groups = complete(read, by, () => bucketsIn(range, resolution));
  const countsOf = new Map(groups.map(({ group, counts }) => [group as Row['group'], counts]));
  // Thousands of groups are put in order by one metric; all of them are worked out for the page alone.
  const [ordering = metrics[0]] = metrics.filter((name) => body.pagination?.sort?.split(':')[0] === name);
  const rows = groups.map(({ group, counts }) => ({
    group: group as Row['group'],
    metrics: metricsView(ordering ? [ordering] : [], counts),
  }));
  const { items, pagination } = pageOf(rows, body.pagination as Parameters<typeof pageOf>[1], { by, metrics });
  const display = await displayNames(doors, by, items);
  const shown = (dimension: string, value: string) =>
    dimension === 'time'
      ? { dimension, value: wireDate(new Date(value)), display_value: wireDate(new Date(value)) }
      : { dimension, value, display_value: display(dimension, value) };
  const [all] = isWithAll ? complete(await readFigures(doors, { ...query, by: [] }), [], () => []) : [];
  return {
    ...echoOf(body, range),
    pagination,
    items: items.map(({ group }) => ({
      dimensions: by.map((name) => shown(name, group[name] as string)),
      metrics: metricsView(metrics, countsOf.get(group) ?? {}),
    })),
    ...(all && { aggregates: { metrics: metricsView(metrics, all.counts) } }),
  };
}
