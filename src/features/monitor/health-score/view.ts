import type { ComponentName, Health } from '../../../engines/sending-health/index.ts';
import type { InboxCounts } from '../../placement/inbox-placement/index.ts';

/** Whole percents, as the published interface has rates. */
function percentOf({ components }: Health, name: ComponentName): number {
  return Math.round((components.find((one) => one.name === name)?.rate ?? 0) * 100);
}

/** A health score on the wire. */
export function healthView(health: Health, delivered: number) {
  return {
    score: health.score,
    rates: {
      bounce_rate: percentOf(health, 'bounce'),
      complaint_rate: percentOf(health, 'complaint'),
      trap_rate: percentOf(health, 'trap'),
      full_mailbox_rate: percentOf(health, 'full_mailbox'),
      bad_failure_rate: percentOf(health, 'bad_failure'),
    },
    counters: { delivered, sent: health.sent },
    interval: health.interval,
    is_small_sample: health.isSmallSample,
    components: health.components.map(({ isMeasured, ...component }) => ({ ...component, is_measured: isMeasured })),
  };
}

/** Where placement tests landed, on the wire. */
export function placementView({ isBound, ...counts }: InboxCounts) {
  return { ...counts, is_bound: isBound };
}
