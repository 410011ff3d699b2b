// What follows from a stage: the next one, the same again, or the one before.
import { wilsonInterval } from '../placement-statistics/index.ts';
import { STAGES_MAX } from './plan.ts';

/** What became of the messages of a stage. */
export interface StageCounts {
  /** Attempts that left from the address. */
  sent: number;
  delivered: number;
  /** There is no such mailbox. */
  hardBounces: number;
  /** Deferrals and refusals whose words are about the reputation of the address. */
  reputation: number;
  complaints: number;
}

type SignalName = 'bounces' | 'complaints' | 'reputation';

interface Limits {
  /** A share above it holds the stage. */
  hold: number;
  /** A share that is surely above it steps back. */
  back: number;
}

/**
 * Bounces: Amazon SES reviews accounts at 5 percent and asks for less than 2. Complaints: Gmail and Yahoo ask for less
 * than 0.1 percent and for never 0.3. Reputation: ours, for nobody publishes one.
 */
const SIGNAL_LIMITS: Readonly<Record<SignalName, Limits>> = {
  bounces: { hold: 0.02, back: 0.05 },
  complaints: { hold: 0.001, back: 0.003 },
  reputation: { hold: 0.02, back: 0.1 },
};

/** A stage of which less was sent has shown receivers too little to go on. */
const SENT_SHARE_MIN = 0.5;
/** One event alone does not hold a stage, nor do a few step back. */
const EVENTS_MIN = { hold: 2, back: 5 };

type Finding = 'below' | 'too few to tell' | 'above' | 'surely far above';

export interface Signal extends Limits {
  name: SignalName;
  count: number;
  of: number;
  /** From 0 to 1; null when nothing was counted. */
  share: number | null;
  /** Where the share lies at 95 %, for so few messages. */
  low: number | null;
  high: number | null;
  finding: Finding;
}

export type Verdict = 'advance' | 'hold' | 'step back';

interface Decision {
  verdict: Verdict;
  /** From 1. */
  stage: number;
  nextStage: number;
  /** The volume of a smaller stage that is put before the first one; it is stage 1 then. */
  smallerVolume: number | null;
  /** The plan is through. */
  isWarm: boolean;
  sentShare: number;
  signals: Signal[];
  /** Whole sentences. */
  why: string;
}

function findingOf({ hold, back }: Limits, { count, share, low }: Pick<Signal, 'count' | 'share' | 'low'>): Finding {
  if (share === null || low === null || share <= hold) return 'below';
  if (low > back && count >= EVENTS_MIN.back) return 'surely far above';
  return count >= EVENTS_MIN.hold ? 'above' : 'too few to tell';
}

function signalOf(name: SignalName, count: number, of: number): Signal {
  const limits = SIGNAL_LIMITS[name];
  const interval = wilsonInterval({ count: Math.min(count, of), of }, 5);
  const share = of > 0 ? Math.min(count, of) / of : null;
  const measured = { count, of, share, low: interval?.low ?? null, high: interval?.high ?? null };
  return { name, ...measured, ...limits, finding: findingOf(limits, measured) };
}

/** The three signals of a stage. */
function signalsOf({ sent, delivered, hardBounces, reputation, complaints }: StageCounts): Signal[] {
  return [
    signalOf('bounces', hardBounces, delivered + hardBounces),
    signalOf('reputation', reputation, sent),
    signalOf('complaints', complaints, delivered),
  ];
}

const COUNTED: Readonly<Record<SignalName, readonly [one: string, several: string, of: string]>> = {
  bounces: ['hard bounce', 'hard bounces', 'finished deliveries'],
  complaints: ['complaint', 'complaints', 'delivered messages'],
  reputation: ['reply about reputation', 'replies about reputation', 'attempts'],
};

const number = (value: number): string => value.toLocaleString('en');
/** Two digits that say something. */
const percentText = (share: number): string => `${Number((share * 100).toPrecision(2))}%`;

function signalText({ name, count, of, share, low, high, hold, back, finding }: Signal): string {
  const [one, several, among] = COUNTED[name];
  const counted = `${number(count)} ${count === 1 ? one : several} in ${number(of)} ${among}`;
  if (share === null || low === null || high === null) return `No ${among}, so nothing is known of ${several}.`;
  const figures = `${counted}: ${percentText(share)} (at 95%: ${percentText(low)} to ${percentText(high)})`;
  if (finding === 'surely far above') return `${figures}; the limit for stepping back is ${percentText(back)}.`;
  if (finding === 'above') return `${figures}; the limit is ${percentText(hold)}.`;
  if (finding === 'too few to tell')
    return `${figures}; the limit is ${percentText(hold)}, and one alone says too little.`;
  return `${counted}, ${count === 0 ? `so at most ${percentText(high)}` : percentText(share)}.`;
}

interface Stage {
  /** From 1. */
  stage: number;
  stages: number;
  volume: number;
  counts: StageCounts;
  /** Its time is not over. */
  isEarly?: boolean;
}

/** A stage before the first one has at least so many. */
const VOLUME_MIN = 10;

/** Half of the first stage, where there is none before it. */
function smallerOf({ stage, stages, volume }: Stage): number | null {
  const half = Math.floor(volume / 2);
  return stage === 1 && half >= VOLUME_MIN && stages < STAGES_MAX ? half : null;
}

function backTo({ stage }: Stage, smaller: number | null): string {
  if (stage > 1) return `It steps back to stage ${stage - 1}.`;
  return smaller === null
    ? 'Stage 1 begins again: there is none before it.'
    : `It steps back: a stage of ${number(smaller)} messages is put before the first.`;
}

const REST = 'Nothing leaves from the address until the broken stage’s 24 hours are over.';

/**
 * Judges a stage that is over: it steps back when a share is above its higher limit for sure (the interval at 95 % lies
 * above it), stays when a share is above its lower limit or when less than half of the volume was sent, and goes on
 * otherwise.
 */
export function decide(given: Stage): Decision {
  const { stage, stages, volume, counts, isEarly = false } = given;
  const signals = signalsOf(counts);
  const sentShare = counts.sent / volume;
  const told = (which: readonly Signal[]): string => which.map(signalText).join(' ');
  const common = { stage, smallerVolume: null, sentShare, signals };
  const far = signals.filter(({ finding }) => finding === 'surely far above');
  if (far.length > 0) {
    const smallerVolume = smallerOf(given);
    return {
      ...common,
      verdict: 'step back',
      nextStage: Math.max(1, stage - 1),
      smallerVolume,
      isWarm: false,
      why: [backTo(given, smallerVolume), told(far), ...(isEarly ? [REST] : [])].join(' '),
    };
  }
  const above = signals.filter(({ finding }) => finding === 'above');
  const held = { ...common, verdict: 'hold', nextStage: stage, isWarm: false } as const;
  if (above.length > 0) return { ...held, why: `Stage ${stage} begins again. ${told(above)}` };
  if (sentShare < SENT_SHARE_MIN)
    return {
      ...held,
      why:
        `Stage ${stage} begins again: ${number(counts.sent)} of ${number(volume)} messages left, ` +
        `${percentText(sentShare)} of it, and receivers have to see ${percentText(SENT_SHARE_MIN)}.`,
    };
  const isWarm = stage === stages;
  const step = isWarm ? 'The address is warm: that was the last stage.' : `It goes on to stage ${stage + 1}.`;
  return {
    ...common,
    verdict: 'advance',
    nextStage: isWarm ? stage : stage + 1,
    isWarm,
    why: `${step} ${number(counts.sent)} of ${number(volume)} messages left. ${told(signals)}`,
  };
}

/** Whether a stage need not be waited for: a share is so far above its limit already that it steps back. */
export function isBroken(stage: Stage): boolean {
  return decide(stage).verdict === 'step back';
}
