// Computes when a message that a server did not take is tried again. The sender keeps the queue.
import type { DeliveryOutcome } from './delivery.ts';

interface Attempts {
  outcome: DeliveryOutcome;
  /** How many attempts were made, this one included. */
  count: number;
  firstAt: Date;
  now: Date;
  /** A number from 0 to 1 that spreads the attempts of many messages. */
  random: number;
}

export interface RetryPolicy {
  /** Before the second attempt; each further wait is twice the one before. Greylisting asks for some minutes. */
  firstWaitMs: number;
  waitMsMax: number;
  /** The message is given up after this time (RFC 5321 §4.5.4.1 wants 4–5 days for ordinary mail). */
  giveUpAfterMs: number;
}

const MINUTE = 60_000;
export const ORDINARY_MAIL: RetryPolicy = {
  firstWaitMs: 5 * MINUTE,
  waitMsMax: 240 * MINUTE,
  giveUpAfterMs: 4 * 24 * 60 * MINUTE,
};

const JITTER = 0.2;

/** The time of the next attempt; undefined when there is none: delivered, refused for good, or too late. */
export function nextAttempt(
  { outcome, count, firstAt, now, random }: Attempts,
  policy: RetryPolicy = ORDINARY_MAIL,
): Date | undefined {
  if (outcome === 'delivered' || outcome === 'bounced') return undefined;
  const wait = Math.min(policy.firstWaitMs * 2 ** Math.min(count - 1, 30), policy.waitMsMax);
  const at = now.getTime() + wait * (1 + (random - 0.5) * 2 * JITTER);
  return at > firstAt.getTime() + policy.giveUpAfterMs ? undefined : new Date(at);
}
