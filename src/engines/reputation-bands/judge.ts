// Judges a domain: two rates, each with a limit for good and one for poor, and how sure they are.
import { wilsonInterval } from '../placement-statistics/index.ts';
import { sentOf, type Counts } from '../sending-health/index.ts';
import {
  BOUNCES,
  COMPLAINTS,
  GOOD_DAYS_MIN,
  POOR_DAYS_MIN,
  PROCESSED_MIN,
  WINDOW_DAYS,
  type Band,
  type RateLimits,
} from './limits.ts';

interface Judged {
  /** Of the last {@link WINDOW_DAYS} days. */
  counts: Counts;
  /** Days of them on which messages came to an end. */
  daysSent: number;
  /** More happened than could be counted. */
  isBound: boolean;
  /** Where the domain is; null when it is in no band yet. */
  band: Band | null;
  /** How long it has been there, in days. */
  heldDays: number;
}

export interface Verdict {
  /** Where the domain belongs now; the band that it is in when nothing moves it. */
  band: Band;
  /** In sentences, with the numbers. */
  reason: string;
  /** Shares from 0 to 1; null when there is nothing to take a share of. */
  bounceRate: number | null;
  complaintRate: number | null;
  /** Messages that left and came to an end: delivered, or refused for good. */
  processedCount: number;
}

interface Measured {
  limits: RateLimits;
  count: number;
  of: number;
  rate: number;
  /** The ends of the 95 % interval. */
  low: number;
  high: number;
}

const number = (value: number): string => value.toLocaleString('en-US');

/** `0.21 %`: as many digits as tell small shares apart. */
function percent(share: number): string {
  const value = share * 100;
  return `${Number(value.toFixed(value < 1 ? 3 : 1))} %`;
}

function measured(limits: RateLimits, count: number, of: number): Measured {
  const bounded = Math.min(count, of);
  const interval = wilsonInterval({ count: bounded, of }, 6) ?? { low: 0, high: 1 };
  return { limits, count: bounded, of, rate: of === 0 ? 0 : bounded / of, ...interval };
}

const described = ({ limits, count, of, rate }: Measured): string =>
  `${limits.title} ${percent(rate)} (${number(count)} of ${number(of)} ${limits.of})`;

/** The rate is at the limit, and even the better end of the interval is not good. */
const isPoor = ({ limits, rate, low }: Measured): boolean => rate >= limits.poorFrom && low >= limits.goodBelow;

/** The rate is below the limit, and even the worse end of the interval is not poor. */
const isGood = ({ limits, rate, high }: Measured): boolean => rate < limits.goodBelow && high < limits.poorFrom;

const stays = (band: Band): string => `the domain stays in ${band}`;

/** Why rates that are neither good nor poor move nothing. */
function reasonBetween(rates: readonly Measured[], band: Band): string {
  const open = rates.find((one) => !isGood(one)) as Measured;
  const { limits, rate, low, high } = open;
  if (rate >= limits.goodBelow && rate < limits.poorFrom)
    return (
      `${described(open)} are between ${percent(limits.goodBelow)}, below which a domain is good, and ` +
      `${percent(limits.poorFrom)}, from which it is poor: ${stays(band)}.`
    );
  return (
    `Small sample: ${described(open)} may stand for anything from ${percent(low)} to ${percent(high)}: ` +
    `${stays(band)}.`
  );
}

function placed(rates: readonly Measured[], { band, daysSent, heldDays }: Judged): Pick<Verdict, 'band' | 'reason'> {
  const now = band ?? 'new';
  const poor = rates.filter(isPoor);
  if (poor.length > 0) {
    const reason = poor.map((one) => `${described(one)} in ${WINDOW_DAYS} days; ${one.limits.rule}.`).join(' ');
    return { band: 'poor', reason };
  }
  if (!rates.every(isGood)) return { band: now, reason: reasonBetween(rates, now) };
  const good = rates.map(described).join(', ');
  const limits = rates.map(({ limits: { goodBelow } }) => percent(goodBelow)).join(' and ');
  const words = `${good} in ${WINDOW_DAYS} days, below ${limits}`;
  if (now === 'good') return { band: 'good', reason: `${words}.` };
  if (daysSent < GOOD_DAYS_MIN)
    return {
      band: now,
      reason: `${words}, but on ${daysSent} of the ${GOOD_DAYS_MIN} days that good needs: ${stays(now)}.`,
    };
  if (now === 'poor' && heldDays < POOR_DAYS_MIN)
    return {
      band: now,
      reason: `${words}, but the domain became poor less than ${POOR_DAYS_MIN} days ago: ${stays(now)}.`,
    };
  return { band: 'good', reason: `${words}.` };
}

/**
 * Where a domain belongs. Few messages move nothing: from {@link PROCESSED_MIN} on a domain can become poor when the
 * 95 % interval of a rate (Wilson) is beyond what is good, and good when it is short of what is poor.
 */
export function judgeBand(judged: Judged): Verdict {
  const { counts, band, isBound } = judged;
  const processedCount = sentOf(counts);
  const complaints = measured(COMPLAINTS, counts.complaints, counts.delivered);
  const bounces = measured(BOUNCES, counts.hardBounces, processedCount);
  const found = {
    bounceRate: processedCount === 0 ? null : bounces.rate,
    complaintRate: counts.delivered === 0 ? null : complaints.rate,
    processedCount,
  };
  const more = isBound ? ' More was sent than is counted.' : '';
  if (processedCount < PROCESSED_MIN) {
    const now = band ?? 'new';
    const reason =
      `Small sample: ${number(processedCount)} messages were sent in ${WINDOW_DAYS} days, and a band is changed from ` +
      `${number(PROCESSED_MIN)} on: ${stays(now)}.${more}`;
    return { band: now, reason, ...found };
  }
  const { band: to, reason } = placed([complaints, bounces], judged);
  return { band: to, reason: reason + more, ...found };
}
