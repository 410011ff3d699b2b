// What queries of metrics and of what was used have in common: the time, whose, the page.
import { invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { DAY_MS, mailDate, readTime } from '../../../platform/times/index.ts';
import { findAccount, listSubaccountIds } from '../../account/accounts/index.ts';
import { keptSince, wholeRange, type Resolution } from '../_figures/index.ts';
import { ITEMS_MAX } from './contract.ts';

const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS, m: 30 * DAY_MS };
const DEFAULT_MS = 7 * DAY_MS;

interface Asked {
  start?: string;
  end?: string;
  duration?: string;
  resolution: Resolution;
}

/** The whole hours, days or months that are asked for, as far as they are kept. Throws `invalid_request`. */
export function rangeOf(
  { start, end, duration, resolution }: Asked,
  now: Date,
  kept = keptSince(resolution, now),
): { from: Date; to: Date } {
  const to = readTime('end', end) ?? now;
  const [, count = '', unit = ''] = /^(\d+)([hdm])$/.exec(duration ?? '') ?? [];
  const before = duration ? Number(count) * (UNITS[unit] as number) : DEFAULT_MS;
  const from = (duration ? undefined : readTime('start', start)) ?? new Date(to.getTime() - before);
  if (from > to) throw invalid('start', 'must not be later than end.');
  return wholeRange({ from, to }, resolution, kept);
}

/** A time of the wire: `Mon, 08 Jul 2024 00:00:00 +0000`. */
export const wireDate = (at: Date): string => mailDate(at).replace(/GMT$/, '+0000');

/** What an answer says again of its query, with the time that was counted. */
export const echoOf = <Of, By>(
  { resolution, duration, dimensions }: { resolution: Of; duration?: string | undefined; dimensions: By },
  { from, to }: { from: Date; to: Date },
) => ({
  start: wireDate(from),
  end: wireDate(to),
  resolution,
  ...(duration !== undefined && { duration }),
  dimensions,
});

export interface Condition {
  attribute: string;
  comparator: '=' | '!=' | 'contains' | 'not contains';
  values: readonly { value: string }[];
}

/** The account, with its subaccounts where they are asked for, as far as conditions on them leave. */
export async function accountsOf(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  { include_subaccounts: isWithAll, filter }: { include_subaccounts: boolean; filter?: { AND?: readonly Condition[] } },
): Promise<string[]> {
  const own = [principal.accountId];
  const all = isWithAll ? [...own, ...(await listSubaccountIds(db, principal.accountId))] : own;
  const conditions = (filter?.AND ?? []).filter(({ attribute }) => attribute === 'subaccount');
  return all.filter((id) =>
    conditions.every(({ comparator, values }) => {
      const isMet = values.some(({ value }) => (comparator.endsWith('contains') ? id.includes(value) : id === value));
      return isMet === (comparator === '=' || comparator === 'contains');
    }),
  );
}

/** What accounts are called, by id. */
export async function accountNames(db: Context['db'], ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const id of new Set(ids)) names.set(id, (await findAccount(db, id))?.name ?? id);
  return names;
}

/** One group before it is shown. */
export interface Row<Value = number | string | null> {
  group: Readonly<Record<string, string>>;
  metrics: Readonly<Record<string, Value>>;
}

interface Page {
  sort?: string;
  skip: number;
  limit: number;
}

const valueOf = ({ group, metrics }: Row, field: string): number | string =>
  group[field] ?? Number(metrics[field] ?? -1);

const compared = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The field and the direction. Throws `invalid_request` naming what is valid. */
function orderOf(sort: string | undefined, { by, metrics }: { by: readonly string[]; metrics: readonly string[] }) {
  const [, field = '', direction = 'asc'] = /^([a-z_.-]+)(?::(asc|desc))?$/.exec(sort ?? '') ?? [];
  if (!sort)
    return by.includes('time') || metrics.length === 0
      ? { field: by[0] === undefined ? '' : by.includes('time') ? 'time' : by[0], direction: 'asc' }
      : { field: metrics[0] as string, direction: 'desc' };
  if (by.includes(field) || metrics.includes(field)) return { field, direction };
  const valid = [...by, ...metrics].join(', ');
  throw invalid('pagination.sort', `must be one of ${valid} with :asc or :desc; "${sort.slice(0, 100)}" is not.`);
}

/** A page of groups, in an order that is the same each time. Throws `invalid_request`. */
export function pageOf<Value extends number | string | null>(
  rows: readonly Row<Value>[],
  page: Partial<Page> | undefined,
  names: { by: readonly string[]; metrics: readonly string[] },
) {
  if (rows.length > ITEMS_MAX)
    throw invalid('dimensions', `give ${rows.length} groups, more than ${ITEMS_MAX}; ask for less time or for fewer.`);
  const { skip = 0, limit = 1000 } = page ?? {};
  const { field, direction } = orderOf(page?.sort, names);
  const sign = direction === 'desc' ? -1 : 1;
  const keyOf = ({ group }: Row<Value>): string => JSON.stringify(names.by.map((name) => group[name]));
  const sorted = rows
    .map((row) => ({ row, value: valueOf(row, field), key: keyOf(row) }))
    .sort((a, b) => sign * compared(a.value, b.value) || compared(a.key, b.key));
  const sort = field === '' ? '' : `${field}:${direction}`;
  const items = sorted.slice(skip, skip + limit).map(({ row }) => row);
  return { items, pagination: { sort, skip, limit, total: rows.length } };
}
