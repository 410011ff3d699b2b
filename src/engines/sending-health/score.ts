// The health score: a hundred less what five rates cost, each by a line between two limits.
import { wilsonInterval } from '../placement-statistics/index.ts';
import { sentOf, type Counts } from './outcomes.ts';

export type ComponentName = 'bounce' | 'complaint' | 'trap' | 'full_mailbox' | 'bad_failure';

/** Whose limit it is, and where it is published; null: Galley's own choice. */
interface LimitSource {
  name: string;
  url: string;
  /** When it said so. */
  asOf: string;
}

interface Component {
  name: ComponentName;
  /** In sentences. */
  title: string;
  /** What is counted, and of what. */
  about: string;
  /** Points that it may cost. */
  weight: number;
  /** Up to this share, 0 to 1, it costs nothing. */
  startsAt: number;
  /** From this share on it costs its whole weight. */
  fullAt: number;
  /** What a reader holds the rate against, as the end of a sentence. */
  limit: string;
  sources: readonly LimitSource[];
}

const GOOGLE: LimitSource = {
  name: 'Google, Email sender guidelines',
  url: 'https://support.google.com/a/answer/81126',
  asOf: '2024-02',
};
const YAHOO: LimitSource = {
  name: 'Yahoo, Sender best practices',
  url: 'https://senders.yahooinc.com/best-practices/',
  asOf: '2024-02',
};
const AMAZON: LimitSource = {
  name: 'Amazon SES, Sending review process FAQs',
  url: 'https://docs.aws.amazon.com/ses/latest/dg/faqs-enforcement.html',
  asOf: '2025',
};

/** The formula. Weights make a hundred. */
export const COMPONENTS: readonly Component[] = [
  {
    name: 'complaint',
    title: 'complaints',
    about: 'Complaints of recipients, of what was delivered.',
    weight: 35,
    startsAt: 0.001,
    fullAt: 0.003,
    limit: "the large providers' limit is 0.1 %, and 0.3 % must never be reached",
    sources: [GOOGLE, YAHOO],
  },
  {
    name: 'bounce',
    title: 'hard bounces',
    about: 'Refusals because there is no such mailbox, of what was sent.',
    weight: 25,
    startsAt: 0.02,
    fullAt: 0.1,
    limit: 'Amazon SES reviews accounts at 5 % and pauses them at 10 %; that it costs from 2 % on is our choice',
    sources: [AMAZON],
  },
  {
    name: 'trap',
    title: 'spam trap hits',
    about: 'Hits at the spam traps that this service knows of, of what was delivered.',
    weight: 20,
    startsAt: 0,
    fullAt: 0.0005,
    limit: 'no provider publishes a limit; that 0.05 % costs everything is our choice',
    sources: [],
  },
  {
    name: 'bad_failure',
    title: 'refusals of the sender or the content',
    about: 'Refusals for good that are neither a missing nor a full mailbox, of what was sent.',
    weight: 12,
    startsAt: 0.01,
    fullAt: 0.1,
    limit: 'no provider publishes a limit; 1 % to 10 % is our choice',
    sources: [],
  },
  {
    name: 'full_mailbox',
    title: 'full mailboxes',
    about: 'Refusals for good because the mailbox is full, of what was sent.',
    weight: 8,
    startsAt: 0.01,
    fullAt: 0.05,
    limit: 'no provider publishes a limit; 1 % to 5 % is our choice',
    sources: [],
  },
];

/** Below so many deliveries the interval says more than the score. */
const SMALL_SAMPLE = 10_000;

interface HealthInput {
  counts: Counts;
  /** Null: no trap is known, so that nothing is measured. */
  trapHits: number | null;
}

interface ScoredComponent {
  name: ComponentName;
  count: number;
  of: number;
  /** 0 to 1. */
  rate: number;
  /** At 95 %, by Wilson; null when nothing was counted. */
  interval: { low: number; high: number } | null;
  weight: number;
  /** Points that the score loses. */
  lost: number;
  isMeasured: boolean;
  /** One sentence: `−12: complaints 0.21 %, the large providers' limit is 0.1 % …`. */
  words: string;
}

export interface Health {
  /** 0 to 100, whole. */
  score: number;
  /** The score at the better and at the worse end of every interval. */
  interval: { low: number; high: number };
  isSmallSample: boolean;
  sent: number;
  components: ScoredComponent[];
}

function proportionOf(name: ComponentName, { counts, trapHits }: HealthInput): { count: number; of: number } {
  const { delivered, complaints, hardBounces, fullMailboxes, refused } = counts;
  if (name === 'complaint') return { count: complaints, of: delivered };
  if (name === 'trap') return { count: trapHits ?? 0, of: delivered };
  const count = { bounce: hardBounces, full_mailbox: fullMailboxes, bad_failure: refused }[name];
  return { count, of: sentOf(counts) };
}

function lostAt(rate: number, { weight, startsAt, fullAt }: Component): number {
  return weight * Math.min(1, Math.max(0, (rate - startsAt) / (fullAt - startsAt)));
}

/** `0.21 %`: as many digits as tell small shares apart. */
function percent(share: number): string {
  const value = share * 100;
  return `${Number(value.toFixed(value < 1 ? 3 : 1))} %`;
}

function wordsOf({ title, limit }: Component, { rate, of, lost, isMeasured }: Omit<ScoredComponent, 'words'>): string {
  if (!isMeasured) return `${title}: not measured, because no spam trap is set up and no report was imported.`;
  if (of === 0) return `${title}: nothing was sent in this time.`;
  const points = Math.round(lost);
  const share = lost > 0 && points === 0 ? 'less than −1' : points > 0 ? `−${points}` : '0';
  return `${share}: ${title} ${percent(rate)}, ${limit}.`;
}

function scored(component: Component, input: HealthInput): ScoredComponent {
  const { name, weight } = component;
  const proportion = proportionOf(name, input);
  // Complaints and traps of deliveries before the time that is asked for count, too.
  const count = Math.min(proportion.count, proportion.of);
  const rate = proportion.of === 0 ? 0 : count / proportion.of;
  const isMeasured = name !== 'trap' || input.trapHits !== null;
  const found = {
    name,
    count: proportion.count,
    of: proportion.of,
    rate,
    weight,
    isMeasured,
    interval: isMeasured ? wilsonInterval({ count, of: proportion.of }, 7) : null,
    lost: isMeasured ? Number(lostAt(rate, component).toFixed(2)) : 0,
  };
  return { ...found, words: wordsOf(component, found) };
}

/** How healthy sending is, and what costs how much. */
export function healthOf(input: HealthInput): Health {
  const components = COMPONENTS.map((component) => scored(component, input));
  const scoreAt = (rateOf: (component: ScoredComponent) => number): number =>
    Math.round(
      100 -
        components.reduce((sum, found, place) => {
          return sum + (found.isMeasured ? lostAt(rateOf(found), COMPONENTS[place] as Component) : 0);
        }, 0),
    );
  return {
    score: scoreAt(({ rate }) => rate),
    interval: {
      low: scoreAt(({ interval }) => interval?.high ?? 1),
      high: scoreAt(({ interval }) => interval?.low ?? 0),
    },
    isSmallSample: input.counts.delivered < SMALL_SAMPLE,
    sent: sentOf(input.counts),
    components,
  };
}
