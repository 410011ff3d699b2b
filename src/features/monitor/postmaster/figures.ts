// What Galley itself saw of a domain's mail to a provider on a day, and the reputation that it computes from that where
// the provider gives none: pure functions.
import type { OwnFigures } from './store.ts';

interface Counted {
  event: string;
  severity: string | null;
  count: number;
}

/** Undefined where there is no event at all: that is no zero. */
export function ownFigures(counted: readonly Counted[]): OwnFigures | undefined {
  if (counted.length === 0) return undefined;
  const of = (event: string, severity?: string): number =>
    counted.find((one) => one.event === event && (severity === undefined || one.severity === severity))?.count ?? 0;
  const [delivered, refused] = [of('delivered'), of('failed', 'permanent')];
  return {
    sent: delivered + refused,
    delivered,
    refused,
    deferred: of('failed', 'temporary'),
    complaints: of('complained'),
  };
}

/** Below it, a share says nothing about the next day. */
const MESSAGES_MIN = 100;
/**
 * Where bands begin to be worse. Google asks for less than 0.1 % spam reports and acts from 0.3 % on
 * (support.google.com/a/answer/81126); twice that is the worst. Of refusals, 2, 5 and 10 % are Galley's own choice.
 */
const SPAM_BANDS = [0.001, 0.003, 0.006];
const REFUSED_BANDS = [0.02, 0.05, 0.1];
const BEST = 4;

const bandOf = (share: number, bounds: readonly number[]): number =>
  BEST - bounds.filter((bound) => share >= bound).length;

/**
 * 4 high, 3 medium, 2 low, 1 bad: the worse of the bands of spam reports (the provider's share where it gives one, or
 * else own complaints) and of refusals for good. Null where fewer than 100 messages ended.
 */
export function reputationOf(own: OwnFigures, spamRatio: number | null): number | null {
  if (own.sent < MESSAGES_MIN) return null;
  const complaints = own.delivered === 0 ? 0 : own.complaints / own.delivered;
  return Math.min(bandOf(spamRatio ?? complaints, SPAM_BANDS), bandOf(own.refused / own.sent, REFUSED_BANDS));
}

/** From this share of spam reports on, Google acts against a sender (support.google.com/a/answer/81126). */
export const SPAM_LIMIT = 0.003;
