// Failures in groups: sums by rule and entity are read, and told apart by what the rules say.
import type { Static } from 'typebox';
import { invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { DAY_MS, readTime } from '../../../platform/times/index.ts';
import { readFigures as readDelivered, type FigureCondition, type FigureDimension } from '../_figures/index.ts';
import { listPools } from '../ip-pools/index.ts';
import { accountNames, accountsOf, echoOf, pageOf, rangeOf, type Row } from '../metrics/index.ts';
import {
  CLASS_DIMENSIONS,
  ITEMS_MAX,
  METRICS,
  RATES,
  type BounceMetrics,
  type Dimension,
  type queryBounces,
} from './contract.ts';
import { classById, classOfRule, entityName } from './rules.ts';
import { GROUPINGS, listSamples, readFigures, type FigureColumn, type FigureSum, type FigureTest } from './store.ts';

type Doors = Pick<Context, 'db' | 'clock' | 'principal'>;
type Body = Static<NonNullable<typeof queryBounces.body>>;
/** One answer is made of no more rows of the database. */
const ROWS_MAX = 100_000;
const UNITS: Readonly<Record<string, number>> = { d: DAY_MS, h: 3_600_000, m: 60_000, s: 1000 };

interface Condition {
  attribute: Dimension;
  comparator: '=' | '!=' | 'contains' | 'not contains';
  values: readonly { value: string }[];
}

/** What sums are kept by, and the same of deliveries. */
const COLUMNS: Readonly<Partial<Record<Dimension, { column: FigureTest['column']; delivered: FigureDimension }>>> = {
  'domain.name': { column: 'domain', delivered: 'domain' },
  'envelope.sending-ip': { column: 'ip', delivered: 'ip' },
  'account.name': { column: 'accountId', delivered: 'subaccount' },
  'envelope.i-ip-pool-name': { column: 'ipPool', delivered: 'ip_pool' },
  tags: { column: 'detail', delivered: 'tag' },
  tag: { column: 'detail', delivered: 'tag' },
  'recipient-domain': { column: 'detail', delivered: 'recipient_domain' },
  'recipient-provider': { column: 'provider', delivered: 'recipient_provider' },
};

const isOfClass = (name: Dimension): boolean => (CLASS_DIMENSIONS as readonly string[]).includes(name);

/** What the sum of a rule is told apart by. */
function classValues({ rule = '', entity = '', isPermanent }: FigureSum): Record<string, string> {
  const { id, isCritical } = classOfRule(rule);
  return {
    'entity-name': entityName(entity),
    'group-id': `${entity}/${rule}`,
    criticality: isCritical ? 'critical' : 'non-critical',
    severity: isPermanent ? 'permanent' : 'temporary',
    category: id,
  };
}

/** Whether a value meets a condition, without regard to case. */
function isMet(value: string, { comparator, values }: Condition): boolean {
  const lower = value.toLowerCase();
  const is = values.some(({ value: asked }) =>
    comparator.endsWith('contains') ? lower.includes(asked.toLowerCase()) : lower === asked.toLowerCase(),
  );
  return is === (comparator === '=' || comparator === 'contains');
}

/** Throws `invalid_request` for what no sum tells apart. */
function groupingOf(names: ReadonlySet<Dimension>, resolution: string): number {
  const isTag = names.has('tag') || names.has('tags');
  const isDomain = names.has('recipient-domain');
  if (isTag && isDomain)
    throw invalid('dimensions', 'cannot be told apart by tag and by recipient-domain at once; ask for one of them.');
  if (isDomain && resolution === 'hour')
    throw invalid('resolution', 'must be day with recipient-domain: its figures are kept by the day.');
  return isTag ? GROUPINGS.tags : isDomain ? GROUPINGS.recipients : GROUPINGS.plain;
}

/** The range as metrics read it. Throws `invalid_request`. */
function timeOf({ start, end, duration, resolution }: Body, now: Date) {
  const to = readTime('end', end) ?? now;
  const parts = [...(duration ?? '').matchAll(/(\d+)([dhms])/g)];
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit as string] as number), 0);
  const from = duration === undefined ? start : new Date(Math.max(0, to.getTime() - ms)).toISOString();
  return rangeOf({ resolution, ...(from !== undefined && { start: from }), ...(end !== undefined && { end }) }, now);
}

/** Those of the accounts that meet conditions on their ids and names. */
async function namedAccounts({ db }: Doors, ids: readonly string[], where: readonly Condition[]): Promise<string[]> {
  const conditions = where.filter(({ attribute }) => attribute === 'account.name');
  if (conditions.length === 0) return [...ids];
  const names = await accountNames(db, ids);
  return ids.filter((id) =>
    conditions.every((condition) => {
      const isWanted = condition.comparator === '=' || condition.comparator === 'contains';
      const met = [id, names.get(id) ?? id].map((value) => isMet(value, condition));
      return isWanted ? met.includes(true) : !met.includes(false);
    }),
  );
}

interface Asked {
  accountIds: readonly string[];
  range: { from: Date; to: Date };
  resolution: 'day' | 'hour';
  by: readonly Dimension[];
  where: readonly Condition[];
}

/** Sums by what is asked for, and by the rule. Throws `invalid_request` for too many. */
async function readSums({ db }: Pick<Doors, 'db'>, { accountIds, range, resolution, by, where }: Asked) {
  const named = new Set([...by, ...where.map(({ attribute }) => attribute)]);
  const columns = new Set<FigureColumn | 'at'>(['rule', 'isPermanent']);
  if (named.has('entity-name') || named.has('group-id')) columns.add('entity');
  for (const name of by) {
    const column = name === 'timestamp' ? 'at' : COLUMNS[name]?.column;
    if (column) columns.add(column);
  }
  const tests = where.flatMap(({ attribute, comparator, values }): FigureTest[] => {
    const column = COLUMNS[attribute]?.column;
    const isNot = comparator === '!=' || comparator === 'not contains';
    const is = comparator.endsWith('contains') ? 'contains' : 'in';
    return column ? [{ column, is, isNot, values: values.map(({ value }) => value.toLowerCase()) }] : [];
  });
  const grouping = groupingOf(named, resolution);
  if (accountIds.length === 0) return [];
  const query = { accountIds, ...range, isHourly: resolution === 'hour', grouping, by: [...columns], where: tests };
  const sums = await readFigures(db, { ...query, limit: ROWS_MAX + 1 });
  if (sums.length > ROWS_MAX)
    throw invalid('dimensions', `give more than ${ROWS_MAX} figures here; ask for less time, or for fewer dimensions.`);
  const ofClass = where.filter(({ attribute }) => isOfClass(attribute));
  return sums.filter((sum) => {
    const values = classValues(sum);
    return ofClass.every((condition) => isMet(values[condition.attribute] as string, condition));
  });
}

function groupOf(sum: FigureSum, by: readonly Dimension[]): Record<string, string> {
  const values = classValues(sum);
  const valueOf = (name: Dimension): string => {
    if (name === 'timestamp') return (sum.at as Date).toISOString();
    const column = COLUMNS[name]?.column;
    return column ? String(sum[column]) : (values[name] as string);
  };
  return Object.fromEntries(by.map((name) => [name, valueOf(name)]));
}

/** What was delivered, by group; undefined where a group or a condition is one that no delivery has. */
async function deliveredOf({ db }: Pick<Doors, 'db'>, { by, where, accountIds, range, resolution }: Asked) {
  if ([...by, ...where.map(({ attribute }) => attribute)].some(isOfClass)) return undefined;
  const rows = await readDelivered(
    { db },
    {
      accountIds,
      ...range,
      resolution,
      by: [...new Set(by.map((name) => (name === 'timestamp' ? 'time' : COLUMNS[name]!.delivered)))],
      where: where.map(({ attribute, comparator, values }) => ({
        dimension: COLUMNS[attribute]!.delivered as FigureCondition['dimension'],
        is: comparator.endsWith('contains') ? 'contains' : 'in',
        values: values.map(({ value }) => value),
        isNot: comparator === '!=' || comparator === 'not contains',
      })),
      counters: ['delivered_at_once', 'delivered_later'],
    },
  );
  const counts = rows.map(({ group, counts: found }) => {
    const values = by.map((name) => group[name === 'timestamp' ? 'time' : COLUMNS[name]!.delivered]);
    return [JSON.stringify(values), Object.values(found).reduce((sum, count) => sum + count, 0)] as const;
  });
  return new Map(counts);
}

/** A name of the four counts. */
const countName = ({ rule = '', isPermanent }: FigureSum): string =>
  `${classOfRule(rule).isCritical ? '' : 'non_'}critical_${isPermanent ? 'bounce' : 'delay'}_count`;

const NOTHING = {
  critical_bounce_count: 0,
  non_critical_bounce_count: 0,
  critical_delay_count: 0,
  non_critical_delay_count: 0,
  classified_failures_count: 0,
};

type Metrics = Static<typeof BounceMetrics>;
type RateName = (typeof RATES)[number];

function metricsView(counts: typeof NOTHING, delivered: number | null): Metrics {
  const whole = (delivered ?? 0) + counts.critical_bounce_count + counts.non_critical_bounce_count;
  const rates = RATES.map((name) => {
    const part = counts[name.replace('_rate', '_count') as keyof typeof NOTHING];
    return [name, delivered === null || whole === 0 ? null : Math.round((100 * part) / whole)];
  });
  return { ...counts, delivered_smtp_count: delivered, ...(Object.fromEntries(rates) as Pick<Metrics, RateName>) };
}

/** Sums that are of one group become one. */
function rowsOf(sums: readonly FigureSum[], by: readonly Dimension[], delivered: Map<string, number> | undefined) {
  const groups = new Map<string, { group: Record<string, string>; counts: typeof NOTHING }>();
  for (const sum of sums) {
    const group = groupOf(sum, by);
    const key = JSON.stringify(by.map((name) => group[name]));
    const { counts } = groups.get(key) ?? { counts: { ...NOTHING } };
    counts[countName(sum) as keyof typeof NOTHING] += sum.n;
    counts.classified_failures_count += sum.n;
    groups.set(key, { group, counts });
  }
  return [...groups].map(([key, { group, counts }]) => ({
    group,
    metrics: metricsView(counts, delivered ? (delivered.get(key) ?? 0) : null),
  }));
}

/** The words of a class and the replies of a rule, for groups that have them. */
async function wordsOf({ db }: Doors, accountIds: readonly string[], groups: readonly Row['group'][]) {
  const ids = groups.flatMap((group) => group['group-id'] ?? []).map((id) => id.split('/') as [string, string]);
  const of = { entities: [...new Set(ids.map(([id]) => id))], rules: [...new Set(ids.map(([, id]) => id))] };
  const samples = ids.length === 0 ? [] : await listSamples(db, accountIds, of);
  return (group: Row['group']) => {
    const id = group['group-id'];
    const found = id === undefined ? undefined : classOfRule(id.split('/')[1] as string);
    const named = found ?? (group['category'] === undefined ? undefined : classById(group['category']));
    const replies = samples.filter(({ rule, entity }) => `${entity}/${rule}` === id).map(({ reply }) => reply);
    const texts = [...new Set(replies)].slice(0, 3);
    return {
      ...(named && { 'category-name': named.name, explanation: named.explanation, advice: named.advice }),
      ...(id !== undefined && { 'sample-text': texts[0] ?? '', 'sample-texts': texts }),
    };
  };
}

/** Names beside ids. */
async function displayed({ db, principal }: Doors, by: readonly Dimension[], groups: readonly Row['group'][]) {
  const accounts = by.includes('account.name')
    ? await accountNames(
        db,
        groups.map((group) => group['account.name'] as string),
      )
    : new Map<string, string>();
  const pools = by.includes('envelope.i-ip-pool-name')
    ? new Map((await listPools(db, principal.accountId)).map(({ id, name }) => [id, name]))
    : new Map<string, string>();
  return ({ 'account.name': account, 'envelope.i-ip-pool-name': pool }: Row['group']) => ({
    ...(account !== undefined && { 'account.id': account, 'account.name': accounts.get(account) ?? account }),
    ...(pool !== undefined && { 'envelope.i-ip-pool-id': pool, 'envelope.i-ip-pool-name': pools.get(pool) ?? pool }),
  });
}

/** Bounces and delays in groups. Throws `invalid_request` naming the field. */
export async function listBounceMetrics(doors: Doors, body: Body) {
  const { resolution, dimensions: by } = body;
  const range = timeOf(body, doors.clock.now());
  const where = (body.filter?.AND ?? []) as Condition[];
  const scope = { include_subaccounts: body.include_subaccounts };
  const accountIds = await namedAccounts(doors, await accountsOf(doors, scope), where);
  const asked = {
    accountIds,
    range,
    resolution,
    by,
    where: where.filter(({ attribute }) => attribute !== 'account.name'),
  };
  const sums = await readSums(doors, asked);
  const rows = rowsOf(sums, by, await deliveredOf(doors, asked));
  if (rows.length > ITEMS_MAX)
    throw invalid('dimensions', `give ${rows.length} groups, more than ${ITEMS_MAX}; ask for less time or for fewer.`);
  const page = { limit: 10, ...body.pagination };
  const { items, pagination } = pageOf(rows, page as Parameters<typeof pageOf>[1], { by, metrics: METRICS });
  const groups = items.map(({ group }) => group);
  const [words, names] = [await wordsOf(doors, accountIds, groups), await displayed(doors, by, groups)];
  return {
    ...echoOf(body, range),
    pagination,
    items: items.map(({ group, metrics }) => ({
      ...group,
      ...names(group),
      ...words(group),
      metrics: metrics as Metrics,
    })),
  };
}
