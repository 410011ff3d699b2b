// Hits by day and type, as lists show them.
import { DAY_MS } from '../../../platform/times/index.ts';
import { TYPES } from './hits.ts';
import type { HitCount, TrapType } from './store.ts';

type Counts = Record<TrapType, number> & { total: number };
export type Day = { date: string } & Counts;

const none = (): Counts => ({ pristine: 0, recycled: 0, typo: 0, harvested: 0, total: 0 });

/** Hits of each type, and of all. */
export function sumOf(counts: readonly HitCount[]): Counts {
  const sum = none();
  for (const { type, hits } of counts) {
    sum[type] += hits;
    sum.total += hits;
  }
  return sum;
}

/** One for each day from the first with a hit to the last, oldest first. */
export function daysOf(counts: readonly HitCount[]): Day[] {
  const byDay = Map.groupBy(counts, ({ day }) => day);
  const dates = [...byDay.keys()].sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const days: Day[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10);
    days.push({ date, ...sumOf(byDay.get(date) ?? []) });
  }
  return days;
}

/** The groups with their days, by name or the most hits first. */
export function groupsOf(counts: readonly HitCount[], by: 'name' | 'totals'): { key: string; days: Day[] }[] {
  const groups = [...Map.groupBy(counts, ({ key }) => key)].map(([key, found]) => ({ key, found, ...sumOf(found) }));
  groups.sort((one, other) => (by === 'totals' ? other.total - one.total : 0) || (one.key < other.key ? -1 : 1));
  return groups.map(({ key, found }) => ({ key, days: daysOf(found) }));
}

/** Fields that a list of counts may be ordered by. */
export const COUNT_FIELDS: readonly (TrapType | 'total')[] = [...TYPES, 'total'];

/** Orders values of a dimension by a field of theirs. */
export function sortedBy<Item extends Counts & { value: string }>(
  items: Item[],
  { field, isDescending }: { field: string; isDescending: boolean },
): Item[] {
  const count = COUNT_FIELDS.find((name) => name === field);
  const direction = isDescending ? -1 : 1;
  return items.toSorted((one, other) => {
    const order = count ? one[count] - other[count] : 0;
    return direction * (order || (one.value < other.value ? -1 : one.value > other.value ? 1 : 0));
  });
}
