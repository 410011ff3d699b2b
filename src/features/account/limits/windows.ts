// The windows of time in which uses are counted: hours, days and months of UTC. Each begins at zero.

const PERIODS = ['hour', 'day', 'month'] as const;
export type UsePeriod = (typeof PERIODS)[number];

/** The beginning of the window of a moment, and that of the next one. */
export function windowOf(now: Date, period: UsePeriod): { from: Date; until: Date } {
  const [year, month, day, hour] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), now.getUTCHours()];
  const at = (moved: number): Date => {
    if (period === 'month') return new Date(Date.UTC(year, month + moved, 1));
    if (period === 'day') return new Date(Date.UTC(year, month, day + moved));
    return new Date(Date.UTC(year, month, day, hour + moved));
  };
  return { from: at(0), until: at(1) };
}

/** The windows of a moment, the shortest first. */
export function windowsOf(now: Date): { period: UsePeriod; startsAt: Date }[] {
  return PERIODS.map((period) => ({ period, startsAt: windowOf(now, period).from }));
}
