// Figures are read here: sums of counters, by what they are told apart by.
import { invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import {
  isOverRows,
  readingSums,
  readSums,
  type Detail,
  type SumColumn,
  type SumRow,
} from '../../../platform/figures/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import type { Counter } from './counters.ts';

/** Sums by the hour are kept so long, those by the day so long. */
export const HOURS_KEPT_DAYS = 60;
export const DAYS_KEPT = 400;
/** One answer has no more groups. */
const GROUPS_MAX = 25_000;
/** One answer is made of no more rows: so many are read in about a second. */
const ROWS_MAX = 500_000;

export type Resolution = 'hour' | 'day' | 'month';
export type FigureDimension =
  | 'time'
  | 'subaccount'
  | 'domain'
  | 'recipient_provider'
  | 'ip'
  | 'ip_pool'
  | 'country'
  | 'device'
  | 'bot'
  | 'tag'
  | 'recipient_domain';

export interface FigureCondition {
  dimension: Exclude<FigureDimension, 'time'>;
  is: 'in' | 'contains';
  values: readonly string[];
  isNot: boolean;
}

interface FiguresQuery {
  accountIds: readonly string[];
  from: Date;
  to: Date;
  resolution: Resolution;
  by: readonly FigureDimension[];
  where: readonly FigureCondition[];
  counters: readonly Counter[];
}

export interface FigureRow {
  /** By dimension; times as ISO 8601. Empty: it is not known. */
  group: Readonly<Partial<Record<FigureDimension, string>>>;
  counts: Readonly<Partial<Record<Counter, number>>>;
}

const COLUMNS: Readonly<Record<Exclude<FigureDimension, 'time'>, SumColumn>> = {
  subaccount: 'accountId',
  domain: 'domain',
  recipient_provider: 'provider',
  ip: 'ip',
  ip_pool: 'ipPool',
  country: 'country',
  device: 'device',
  bot: 'bot',
  tag: 'detail',
  recipient_domain: 'detail',
};

/** The beginning of the hour, day or month of a moment, or of the one that follows so many later. */
function bucketOf(at: Date, resolution: Resolution, later = 0): Date {
  const [year, month, day, hour] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCHours()];
  if (resolution === 'month') return new Date(Date.UTC(year, month + later, 1));
  if (resolution === 'day') return new Date(Date.UTC(year, month, day + later));
  return new Date(Date.UTC(year, month, day, hour + later));
}

/** Since when there are sums. */
export function keptSince(resolution: Resolution, now: Date): Date {
  return daysAfter(now, -(resolution === 'hour' ? HOURS_KEPT_DAYS : DAYS_KEPT));
}

/**
 * Whole hours, days or months around a time, none of which begins before what is kept: the first of them, and the end of
 * the last.
 */
export function wholeRange({ from, to }: { from: Date; to: Date }, resolution: Resolution, kept: Date) {
  const asked = bucketOf(from, resolution);
  const first = asked < kept ? bucketOf(kept, resolution, 1) : asked;
  const last = bucketOf(to, resolution);
  return { from: first, to: last < to || last <= first ? bucketOf(last > first ? last : first, resolution, 1) : last };
}

/** Every hour, day or month of a whole range. */
export function bucketsIn({ from, to }: { from: Date; to: Date }, resolution: Resolution): Date[] {
  const found = [];
  for (let at = from; at < to; at = bucketOf(at, resolution, 1)) found.push(at);
  return found;
}

/** Throws `invalid_request` for what no sum tells apart. */
function detailOf({ by, where, resolution }: FiguresQuery): Detail {
  const named = new Set<string>([...by, ...where.map(({ dimension }) => dimension)]);
  if (named.has('tag') && named.has('recipient_domain'))
    throw invalid('dimensions', 'cannot be told apart by tag and by recipient_domain at once; ask for one of them.');
  if (named.has('recipient_domain') && resolution === 'hour')
    throw invalid('resolution', 'must be day or month with recipient_domain: its figures are kept by the day.');
  return named.has('tag') ? 'tag' : named.has('recipient_domain') ? 'recipientDomain' : 'none';
}

function rowOf(row: SumRow, { by, counters }: FiguresQuery): FigureRow {
  const valueOf = (name: FigureDimension) => (name === 'time' ? row.at!.toISOString() : row.group[COLUMNS[name]]);
  const [group, counts]: [Record<string, string | undefined>, Record<string, number>] = [{}, {}];
  for (const name of by) group[name] = valueOf(name);
  for (const [place, name] of counters.entries()) {
    const count = row.counts[place];
    if (typeof count === 'number') counts[name] = count;
  }
  return { group: group as FigureRow['group'], counts };
}

/**
 * Sums by group, in no order; groups without an event are missing. The range is one of `wholeRange`. Throws
 * `invalid_request` for what no sum tells apart, for more groups than one answer has, and where too many rows would be
 * read.
 */
export async function readFigures({ db }: Pick<Outside, 'db'>, query: FiguresQuery): Promise<FigureRow[]> {
  const { accountIds, from, to, resolution, by, where, counters } = query;
  const of = detailOf(query);
  if (accountIds.length === 0) return [];
  const sums = {
    accountIds,
    of,
    from,
    to,
    table: resolution === 'hour' ? 'figure_hours' : 'figure_days',
    resolution: by.includes('time') ? resolution : 'none',
    by: by.flatMap((name) => (name === 'time' ? [] : [COLUMNS[name]])),
    where: where.map(({ dimension, is, values, isNot }) => ({
      column: COLUMNS[dimension],
      is,
      values: values.map((value) => value.toLowerCase()),
      isNot,
    })),
    counters,
    limit: GROUPS_MAX + 1,
  } as const;
  const rows = await readingSums(db, async (at) => {
    if (await isOverRows(at, sums, ROWS_MAX))
      throw invalid(
        'dimensions',
        `and conditions need more than ${ROWS_MAX} sums here; ask for less time or for fewer.`,
      );
    return readSums(at, sums);
  });
  if (rows.length > GROUPS_MAX)
    throw invalid(
      'dimensions',
      `give more than ${GROUPS_MAX} groups here; ask for less time, or for fewer dimensions.`,
    );
  return rows.map((row) => rowOf(row, query));
}
