import type { ProviderStats } from './mail-api.ts';
import classes from './mail.module.css';

const WIDTH = 400;
const MIDDLE = 5.5;

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** How many of the decided seeds are in the inbox, tabs included; undefined while none is decided. */
export function inboxShare({ inbox, spam, missing }: Pick<ProviderStats, 'inbox' | 'spam' | 'missing'>): number | undefined {
  const decided = inbox + spam + missing;
  return decided === 0 ? undefined : inbox / decided;
}

/** `75 % in the inbox; between 30 % and 95 %`. */
export function shareInWords(stats: ProviderStats): string {
  const share = inboxShare(stats);
  if (share === undefined) return stats.pending > 0 ? 'No result yet' : 'Nothing could be counted';
  const interval = stats.inbox_interval;
  return `${percent(share)} in the inbox${interval ? `, ${percent(interval.low)} to ${percent(interval.high)} likely` : ''}`;
}

/** The share that reached the inbox as a dot, and how far it may be off as a line: an interval at 95 %. */
export function IntervalLine({ stats }: { stats: ProviderStats }) {
  const share = inboxShare(stats);
  const interval = stats.inbox_interval;
  if (share === undefined || !interval) return null;
  const x = (value: number): number => value * WIDTH;
  return (
    <svg className={classes.interval} viewBox={`0 0 ${WIDTH} 11`} preserveAspectRatio="none" aria-hidden="true">
      <path className={classes.whisker} vectorEffect="non-scaling-stroke" d={`M${x(interval.low)} 2v7M${x(interval.low)} ${MIDDLE}H${x(interval.high)}M${x(interval.high)} 2v7`} />
      <path className={classes.whisker} vectorEffect="non-scaling-stroke" strokeLinecap="round" style={{ strokeWidth: 7 }} d={`M${x(share)} ${MIDDLE}h0.01`} />
    </svg>
  );
}
