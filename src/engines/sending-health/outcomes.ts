// What an event says of the health of sending: which kind of end a delivery had.

/** What is counted of a group of deliveries. */
export interface Counts {
  accepted: number;
  delivered: number;
  /** Refused for good: there is no such mailbox (or domain). */
  hardBounces: number;
  /** Tries that failed for now; a delivery may have several. */
  softBounces: number;
  /** Refused for good: the mailbox is full. */
  fullMailboxes: number;
  /** Refused for good for another reason: the sender, the content, a policy. */
  refused: number;
  /** Never taken until the time to try was over. */
  expired: number;
  /** Not tried: the address is on a list of suppressions. */
  suppressed: number;
  complaints: number;
  unsubscribes: number;
  /** Events: several for a reader who opens several times. */
  opened: number;
  clicked: number;
}

type Measure = keyof Counts;

interface Told {
  event: string;
  severity: string | null;
  reason: string | null;
  code: number | null;
  enhancedCode: string | null;
  bounceType: string | null;
}

const PLAIN: Readonly<Record<string, Measure>> = {
  accepted: 'accepted',
  delivered: 'delivered',
  opened: 'opened',
  clicked: 'clicked',
  unsubscribed: 'unsubscribes',
  complained: 'complaints',
};

/** X.2.2 of RFC 3463 §3.3; 552 of RFC 5321 §4.2.2 where no such code says more. */
function isFull({ code, enhancedCode }: Told): boolean {
  return enhancedCode ? /^[45]\.2\.2$/.test(enhancedCode) : code === 552;
}

/** What an event counts as; undefined for what says nothing of it. */
export function measureOf(told: Told): Measure | undefined {
  if (told.event !== 'failed') return Object.hasOwn(PLAIN, told.event) ? PLAIN[told.event] : undefined;
  if (told.severity === 'temporary') return 'softBounces';
  if (told.reason?.startsWith('suppress-')) return 'suppressed';
  if (isFull(told)) return 'fullMailboxes';
  if (told.reason === 'bounce' && told.bounceType !== 'soft') return 'hardBounces';
  return told.reason === 'old' ? 'expired' : 'refused';
}

export const NO_COUNTS: Readonly<Counts> = {
  accepted: 0,
  delivered: 0,
  hardBounces: 0,
  softBounces: 0,
  fullMailboxes: 0,
  refused: 0,
  expired: 0,
  suppressed: 0,
  complaints: 0,
  unsubscribes: 0,
  opened: 0,
  clicked: 0,
};

/** Deliveries that left and came to an end: taken, or refused for good. */
export function sentOf({ delivered, hardBounces, fullMailboxes, refused, expired }: Counts): number {
  return delivered + hardBounces + fullMailboxes + refused + expired;
}
