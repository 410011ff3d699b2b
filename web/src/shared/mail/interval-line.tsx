import { count } from '../../ground/words.ts';
import type { PlacementResult, ProviderStats } from './mail-api.ts';
import classes from './mail.module.css';

const WIDTH = 400;
const MIDDLE = 5.5;

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** How many of the decided seeds are in the inbox, tabs included; undefined while none is decided. */
export function inboxShare({
  inbox,
  spam,
  missing,
}: Pick<ProviderStats, 'inbox' | 'spam' | 'missing'>): number | undefined {
  const decided = inbox + spam + missing;
  return decided === 0 ? undefined : inbox / decided;
}

type Totals = PlacementResult['delivery_totals'];

/** How many simulated receivers file the message there: a count, because rules have no margin of error. */
function simulatedInWords({ inbox, spam, missing, pending }: ProviderStats): string {
  const decided = inbox + spam + missing;
  if (decided === 0) return pending > 0 ? 'Simulated: no result yet' : '';
  return `Simulated: ${inbox} of ${count(decided, 'seed')} in the inbox`;
}

/** Shows the share and its margin of error for real mailboxes; says that simulated ones are simulated. */
export function totalsInWords({ real, simulated }: Totals): string {
  const share = inboxShare(real);
  const interval = real.inbox_interval;
  const ofReal =
    share === undefined
      ? real.pending > 0
        ? 'No result yet'
        : real.total > 0
          ? 'No mailbox could be read'
          : ''
      : `${percent(share)} of ${count(real.observations, 'real mailbox', 'real mailboxes')} ` +
        `in the inbox${interval ? `, ${percent(interval.low)} to ${percent(interval.high)} likely` : ''}`;
  return [ofReal, simulatedInWords(simulated)].filter(Boolean).join('. ');
}

/** The share that reached the inbox as a dot, and how far it may be off as a line: an interval at 95 %. */
export function IntervalLine({ stats }: { stats: ProviderStats }) {
  const share = inboxShare(stats);
  const interval = stats.inbox_interval;
  if (share === undefined || !interval) return null;
  const x = (value: number): number => value * WIDTH;
  return (
    <svg className={classes.interval} viewBox={`0 0 ${WIDTH} 11`} preserveAspectRatio="none" aria-hidden="true">
      <path
        className={classes.whisker}
        vectorEffect="non-scaling-stroke"
        d={`M${x(interval.low)} 2v7M${x(interval.low)} ${MIDDLE}H${x(interval.high)}M${x(interval.high)} 2v7`}
      />
      <path
        className={classes.whisker}
        vectorEffect="non-scaling-stroke"
        strokeLinecap="round"
        style={{ strokeWidth: 7 }}
        d={`M${x(share)} ${MIDDLE}h0.01`}
      />
    </svg>
  );
}
