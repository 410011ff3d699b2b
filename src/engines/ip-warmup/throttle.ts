// How many messages of a stage may leave now: the stage's volume is spread over the hours that are left of it, and an
// hour's limit over its minutes.

const HOUR_MS = 3_600_000;
/** Of the stage's volume, so much leaves in one hour at most, however little left before. */
const HOUR_SHARE_MAX = 1 / 6;
/** So many minutes' worth may leave at once. */
const BURST_MINUTES = 1;
/** Against the arithmetic of fractions. */
const EPSILON = 1e-9;

/** What has to be remembered between two looks. */
export interface Throttle {
  hourStartedAt: Date;
  hourlyLimit: number;
  sentInHour: number;
  sentInStage: number;
  /** What may leave at once; a fraction is on its way to the next message. */
  tokens: number;
  filledAt: Date;
}

interface StageSpan {
  volume: number;
  startedAt: Date;
  endsAt: Date;
}

const hoursBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / HOUR_MS;

/** The limit of an hour: what is left of the stage over the hours that are left, and never more than is left. */
function limitOf({ volume, endsAt }: StageSpan, { from, sent }: { from: Date; sent: number }): number {
  const left = Math.max(0, volume - sent);
  const hoursLeft = Math.max(1, Math.ceil(hoursBetween(from, endsAt) - EPSILON));
  return Math.min(left, Math.ceil(volume * HOUR_SHARE_MAX), Math.ceil(left / hoursLeft));
}

const burstOf = (hourlyLimit: number): number => Math.max(1, Math.floor((hourlyLimit * BURST_MINUTES) / 60));

/** Messages a millisecond; with the burst before it, no 60 minutes have more than the hour's limit. */
const rateOf = (hourlyLimit: number): number =>
  hourlyLimit === 0 ? 0 : (hourlyLimit - burstOf(hourlyLimit) + 1) / HOUR_MS;

/** The throttle at the start of a stage. */
export function openThrottle(stage: StageSpan): Throttle {
  const hourlyLimit = limitOf(stage, { from: stage.startedAt, sent: 0 });
  return {
    hourStartedAt: stage.startedAt,
    hourlyLimit,
    sentInHour: 0,
    sentInStage: 0,
    tokens: Math.min(1, hourlyLimit),
    filledAt: stage.startedAt,
  };
}

/** Time goes on within an hour. */
function filled(throttle: Throttle, until: Date): Throttle {
  const { hourlyLimit, tokens, filledAt } = throttle;
  const ms = until.getTime() - filledAt.getTime();
  if (ms <= 0) return throttle;
  return { ...throttle, filledAt: until, tokens: Math.min(burstOf(hourlyLimit), tokens + ms * rateOf(hourlyLimit)) };
}

/** The throttle at a moment: hours that are over are closed, and the next limits follow from what was sent. */
export function throttleAt(throttle: Throttle, { stage, now }: { stage: StageSpan; now: Date }): Throttle {
  let state = throttle;
  const hours = Math.floor(hoursBetween(stage.startedAt, now) + EPSILON);
  const at = new Date(stage.startedAt.getTime() + hours * HOUR_MS);
  if (at > state.hourStartedAt) {
    const hourlyLimit = limitOf(stage, { from: at, sent: state.sentInStage });
    const { tokens } = filled(state, at);
    state = {
      ...state,
      hourStartedAt: at,
      hourlyLimit,
      sentInHour: 0,
      tokens: Math.min(tokens, burstOf(hourlyLimit)),
      filledAt: at,
    };
  }
  return filled(state, now);
}

interface Taken {
  throttle: Throttle;
  granted: number;
  /** When the next message may leave, when fewer were granted than asked for. */
  nextAt: Date | undefined;
}

/** When a throttle that grants nothing more grants the next one. */
function nextAfter({ hourStartedAt, hourlyLimit, sentInHour, tokens }: Throttle, now: Date): Date {
  const hourEndsAt = new Date(hourStartedAt.getTime() + HOUR_MS);
  const rate = rateOf(hourlyLimit);
  if (sentInHour >= hourlyLimit || rate === 0) return hourEndsAt;
  return new Date(now.getTime() + Math.max(1, Math.ceil((1 - tokens) / rate - EPSILON)));
}

/** Takes up to so many at a moment; a throttle is brought there by {@link throttleAt} first. */
export function takeFrom(throttle: Throttle, { count, now }: { count: number; now: Date }): Taken {
  const { tokens, hourStartedAt, hourlyLimit, sentInHour, sentInStage } = throttle;
  // Between a stage that was broken off and the next, the address rests.
  if (now < hourStartedAt) return { throttle, granted: 0, nextAt: hourStartedAt };
  const granted = Math.max(0, Math.min(count, Math.floor(tokens + EPSILON), hourlyLimit - sentInHour));
  const left = {
    ...throttle,
    tokens: Math.max(0, tokens - granted),
    sentInHour: sentInHour + granted,
    sentInStage: sentInStage + granted,
  };
  return { throttle: left, granted, nextAt: granted < count ? nextAfter(left, now) : undefined };
}

/** Gives back what was taken and not used. */
export function giveBack(throttle: Throttle, count: number): Throttle {
  const { tokens, hourlyLimit, sentInHour, sentInStage } = throttle;
  const given = Math.min(count, sentInStage);
  return {
    ...throttle,
    tokens: Math.min(burstOf(hourlyLimit), tokens + given),
    sentInHour: Math.max(0, sentInHour - given),
    sentInStage: sentInStage - given,
  };
}
