import { invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { mailDate, readTime } from '../../../platform/times/index.ts';
import {
  bucketsIn,
  COUNTERS,
  keptSince,
  readFigures,
  wholeRange,
  type FigureCondition,
  type FigureDimension,
  type Resolution,
} from '../_figures/index.ts';
import { rangeOf } from '../metrics/index.ts';
import { STAT_EVENTS } from './contract.ts';
import { aggregateView, statView, type StatEvent } from './view.ts';

type Doors = Pick<Context, 'db' | 'clock' | 'principal'>;

interface StatsQuery {
  event: string | readonly string[];
  start?: string;
  end?: string;
  resolution: Resolution;
  duration?: string;
}

/** Throws `invalid_request` naming what is valid. */
function eventsOf(given: StatsQuery['event']): StatEvent[] {
  const names = typeof given === 'string' ? given.split(',') : given;
  const wrong = names.find((name) => !(STAT_EVENTS as readonly string[]).includes(name));
  if (wrong !== undefined || names.length === 0)
    throw invalid('event', `must be one of ${STAT_EVENTS.join(', ')}; "${(wrong ?? '').slice(0, 100)}" is none.`);
  return [...new Set(names)] as StatEvent[];
}

const isDomain = (domain: string): FigureCondition => ({
  dimension: 'domain',
  is: 'in',
  values: [domain],
  isNot: false,
});

const FILTERS: Readonly<Record<string, FigureCondition['dimension']>> = {
  domain: 'domain',
  tag: 'tag',
  provider: 'recipient_provider',
  ip: 'ip',
  ip_pool: 'ip_pool',
  country: 'country',
  device: 'device',
};

/** `domain:news.example.com AND country:US`. Throws `invalid_request` naming what is valid. */
export function filterIn(text: string | undefined): FigureCondition[] {
  if (!text?.trim()) return [];
  return text.split(/\s+AND\s+/i).map((term) => {
    const [, name = '', value = ''] = /^\s*([a-z_]+):\s*(\S.*?)\s*$/.exec(term) ?? [];
    const dimension = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    if (!dimension)
      throw invalid('filter', `must name one of ${Object.keys(FILTERS).join(', ')}, a colon and a value.`);
    return { dimension, is: 'in', values: [value], isNot: false };
  });
}

/** The stats of what meets conditions. Throws `invalid_request`. */
export async function statsOf(
  doors: Doors,
  query: StatsQuery,
  { where, isTotal = false }: { where: readonly FigureCondition[]; isTotal?: boolean },
) {
  const { resolution } = query;
  const events = eventsOf(query.event);
  const range = rangeOf(query, doors.clock.now());
  const rows = await readFigures(doors, {
    accountIds: [doors.principal.accountId],
    ...range,
    resolution,
    by: isTotal ? [] : ['time'],
    where,
    counters: COUNTERS,
  });
  const found = new Map(rows.map(({ group, counts }) => [group.time, counts]));
  const times = isTotal ? [range.from] : bucketsIn(range, resolution);
  return {
    description: '',
    start: mailDate(range.from),
    end: mailDate(range.to),
    resolution,
    stats: times.map((at) =>
      statView({ time: mailDate(at) }, found.get(isTotal ? undefined : at.toISOString()) ?? {}, events),
    ),
  };
}

/** The stats of a domain. */
export const domainStats = (doors: Doors, domain: string, query: StatsQuery) =>
  statsOf(doors, query, { where: [isDomain(domain)] });

/** How sums are grouped by time; whatever else there is, metrics tell apart. Throws `invalid_request`. */
export function groupedBy(query: StatsQuery, group: string | undefined): { query: StatsQuery; isTotal: boolean } {
  if (!group || group === 'time') return { query, isTotal: false };
  if (group === 'total') return { query, isTotal: true };
  if (group === 'hour' || group === 'day' || group === 'month')
    return { query: { ...query, resolution: group }, isTotal: false };
  throw invalid('group', 'must be one of total, time, hour, day, month; POST /v1/analytics/metrics has more.');
}

interface DomainsQuery extends Pick<StatsQuery, 'event' | 'resolution'> {
  timestamp: string;
  limit: number;
}

/** Each domain in the hour, day or month of a time. Throws `invalid_request`. */
export async function statsByDomain(doors: Doors, { event, timestamp, resolution, limit }: DomainsQuery) {
  const events = eventsOf(event);
  const at = readTime('timestamp', timestamp);
  if (!at) throw invalid('timestamp', 'is required: RFC 2822 or Unix seconds.');
  const kept = keptSince(resolution, doors.clock.now());
  const range = wholeRange({ from: at, to: at }, resolution, kept);
  const accountIds = [doors.principal.accountId];
  const query = { accountIds, ...range, resolution, where: [], counters: COUNTERS };
  const rows = await readFigures(doors, { ...query, by: ['domain'] });
  const sorted = rows
    .map(({ group, counts }) => ({ domain: group.domain ?? '', counts }))
    .sort((a, b) => (a.domain < b.domain ? -1 : 1));
  return {
    description: '',
    start: mailDate(range.from),
    end: mailDate(range.to),
    resolution,
    stats: sorted
      .slice(0, limit)
      .map(({ domain, counts }) => statView({ time: mailDate(range.from), domain }, counts, events)),
  };
}

/** By provider, device or country, over all that is kept: what is not known is left out. */
export async function aggregateOf(
  doors: Doors,
  dimension: FigureDimension,
  where: readonly FigureCondition[],
): Promise<Record<string, Record<string, number>>> {
  const now = doors.clock.now();
  const from = keptSince('day', now);
  const rows = await readFigures(doors, {
    accountIds: [doors.principal.accountId],
    ...wholeRange({ from, to: now }, 'day', from),
    resolution: 'day',
    by: [dimension],
    where,
    counters: COUNTERS,
  });
  const named = rows.map(({ group, counts }) => [group[dimension] ?? '', aggregateView(dimension, counts)] as const);
  return Object.fromEntries(named.filter(([name]) => name !== '').sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Of a domain. */
export const aggregateOfDomain = (doors: Doors, dimension: FigureDimension, domain: string) =>
  aggregateOf(doors, dimension, [isDomain(domain)]);
