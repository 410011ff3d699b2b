// What is counted: every event is exactly one of these, and an opening or a click may be one more, the first of its
// reader. All figures are sums of them.
import type { UncountedEvent } from '../../../platform/event-log/index.ts';

/** Rows keep the place: none is ever moved, new ones stand at the end. */
export const COUNTERS = [
  'accepted',
  'stored',
  'rejected',
  'delivered_at_once',
  'delivered_later',
  'opened',
  'unique_opened',
  'clicked',
  'unique_clicked',
  'unsubscribed',
  'complained',
  'temporary',
  'temporary_espblock',
  'bounce',
  'delayed_bounce',
  'espblock',
  'soft',
  'old',
  'suppress_bounce',
  'suppress_unsubscribe',
  'suppress_complaint',
  'webhook',
  'permanent_other',
] as const;
export type Counter = (typeof COUNTERS)[number];

const BY_REASON: Readonly<Record<string, Counter>> = {
  bounce: 'bounce',
  espblock: 'espblock',
  generic: 'soft',
  greylisted: 'soft',
  blacklisted: 'soft',
  old: 'old',
  'suppress-bounce': 'suppress_bounce',
  'suppress-unsubscribe': 'suppress_unsubscribe',
  'suppress-complaint': 'suppress_complaint',
};

function failureOf({ severity, reason, isDelayedBounce, isCallback }: UncountedEvent): Counter {
  if (severity === 'temporary') return reason === 'espblock' ? 'temporary_espblock' : 'temporary';
  if (isCallback) return 'webhook';
  if (isDelayedBounce) return 'delayed_bounce';
  return Object.hasOwn(BY_REASON, reason ?? '') ? (BY_REASON[reason ?? ''] as Counter) : 'permanent_other';
}

/** What an event counts as; undefined for one that is of no message. */
export function counterOf(event: UncountedEvent): Counter | undefined {
  if (event.event === 'failed') return failureOf(event);
  if (event.event === 'delivered') return (event.attempt ?? 1) > 1 ? 'delivered_later' : 'delivered_at_once';
  return event.event === 'email_validation' ? undefined : event.event;
}

/** What the first event of a reader counts as, too. What a program did, such as a scanner, is nobody's first. */
export function uniqueOf({ event, bot, messageId }: UncountedEvent): Counter | undefined {
  if (bot !== '' || messageId === null) return undefined;
  return event === 'opened' ? 'unique_opened' : event === 'clicked' ? 'unique_clicked' : undefined;
}
