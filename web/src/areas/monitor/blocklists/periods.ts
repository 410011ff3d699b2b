// From changes to periods: how long each asset was on each list within a month.

export const DAY_MS = 86_400_000;
export const DAYS = 30;

/** An asset came onto a list, or off it. */
export interface Change {
  asset: string;
  /** The zone. */
  list: string;
  name: string;
  isListed: boolean;
  at: Date;
}

interface Period {
  from: Date;
  /** Undefined: it is listed still. */
  to: Date | undefined;
}

interface Line {
  asset: string;
  list: string;
  name: string;
  periods: Period[];
}

/** What stands on a list now, and since when. */
interface Standing {
  asset: string;
  list: string;
  name: string;
  since: Date;
}

/**
 * A line for each asset and list, those that are listed still first. `changes` are of the time from `start` on; what
 * came off without having come on in that time was on since before, and begins at `start`.
 */
export function periodsOf(
  changes: readonly Change[],
  { standing, start }: { standing: readonly Standing[]; start: Date },
): Line[] {
  const lines = new Map<string, Line>();
  const lineOf = ({ asset, list, name }: Pick<Change, 'asset' | 'list' | 'name'>): Line => {
    const line = lines.get(`${asset} ${list}`) ?? { asset, list, name, periods: [] };
    lines.set(`${asset} ${list}`, line);
    return line;
  };
  for (const change of changes.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const { periods } = lineOf(change);
    const last = periods.at(-1);
    const isOpen = last !== undefined && last.to === undefined;
    if (change.isListed && !isOpen) periods.push({ from: change.at, to: undefined });
    if (!change.isListed && isOpen) last.to = change.at;
    if (!change.isListed && last === undefined) periods.push({ from: start, to: change.at });
  }
  for (const one of standing) {
    const { periods } = lineOf(one);
    const isOpen = periods.at(-1)?.to === undefined && periods.length > 0;
    if (!isOpen) periods.push({ from: one.since < start ? start : one.since, to: undefined });
  }
  const isOpen = ({ periods }: Line): boolean => periods.at(-1)?.to === undefined;
  const latest = ({ periods }: Line): number => periods.at(-1)!.from.getTime();
  return [...lines.values()]
    .filter(({ periods }) => periods.length > 0)
    .toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || latest(b) - latest(a));
}
