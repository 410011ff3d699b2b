// SIMULATED: thirty days of a new address, on a clock of its own, against receivers that defer by a rule that the sender
// does not see. The throttle and the decisions are Galley's own code; the baseline is the same published plan, one stage
// a day whatever receivers say. No mail is sent.
import {
  decide,
  isAboutReputation,
  isBroken,
  openThrottle,
  planTo,
  STAGE_MS,
  TARGET_DEFAULT,
  takeFrom,
  throttleAt,
  type StageCounts,
} from '../src/engines/ip-warmup/index.ts';

const DAYS = 30;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const START = new Date('2026-03-01T00:00:00Z');
const BOUNCES = 0.004;
const COMPLAINTS = 0.0002;
const DEFERRAL = '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume';

/** What a receiver takes of an address that it does not know, and how that changes from day to day. */
interface Rule {
  name: string;
  /** Messages of the first day. */
  first: number;
  /** After a day on which it deferred at most a twentieth of them, and got two fifths of what it takes or more. */
  grows: number;
  /** After a day on which it deferred more than three tenths. */
  falls: number;
}

const RULES: readonly Rule[] = [
  { name: 'lenient', first: 2000, grows: 1.6, falls: 0.8 },
  { name: 'ordinary', first: 600, grows: 1.35, falls: 0.6 },
  { name: 'strict', first: 300, grows: 1.25, falls: 0.5 },
];

/** Numbers from 0 to 1, the same in every run (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Answers each message; its rule is nobody else's business. */
function createReceiver({ first, grows, falls }: Rule) {
  const random = chance(1);
  let [capacity, seen, deferred] = [first, 0, 0];
  return {
    endDay() {
      const share = seen === 0 ? 0 : deferred / seen;
      if (share > 0.3) capacity *= falls;
      else if (share <= 0.05 && seen >= capacity * 0.4) capacity *= grows;
      [seen, deferred] = [0, 0];
    },
    answer(): 'taken' | 'complaint' | 'bounce' | 'deferred' {
      seen += 1;
      if (seen - deferred > capacity) {
        deferred += 1;
        return 'deferred';
      }
      const lot = random();
      return lot < BOUNCES ? 'bounce' : lot < BOUNCES + COMPLAINTS ? 'complaint' : 'taken';
    },
  };
}

type Receiver = ReturnType<typeof createReceiver>;
const NOTHING: Readonly<StageCounts> = { sent: 0, delivered: 0, hardBounces: 0, reputation: 0, complaints: 0 };

interface Course {
  delivered: number;
  deferred: number;
  /** The first day that took the whole target with less than a twentieth deferred; undefined: none of them. */
  fullOn: number | undefined;
  hoursOver: number;
  decisions: string[];
}

function count(counts: StageCounts, receiver: Receiver): 'deferred' | 'delivered' | 'bounce' {
  counts.sent += 1;
  const said = receiver.answer();
  if (said === 'deferred') {
    if (isAboutReputation(DEFERRAL)) counts.reputation += 1;
    return 'deferred';
  }
  if (said === 'bounce') {
    counts.hardBounces += 1;
    return 'bounce';
  }
  counts.delivered += 1;
  if (said === 'complaint') counts.complaints += 1;
  return 'delivered';
}

/** The hours, clock ones and any sixty minutes, in which more left than the largest limit of that time. */
function hoursOver(minutes: readonly { left: number; limit: number }[]): number {
  let [within, over] = [0, 0];
  for (const [at, { left }] of minutes.entries()) {
    within += left - (minutes[at - 60]?.left ?? 0);
    const limit = Math.max(...minutes.slice(Math.max(0, at - 60), at + 1).map((minute) => minute.limit));
    if (within > limit) over += 1;
  }
  return over;
}

class Warming {
  plan = planTo(TARGET_DEFAULT);
  readonly decisions: string[] = [];
  stage = 1;
  isWarm = false;
  counts: StageCounts = { ...NOTHING };
  span = this.#spanOf(START);
  throttle = openThrottle(this.span);
  readonly #isClosedLoop: boolean;

  constructor(isClosedLoop: boolean) {
    this.#isClosedLoop = isClosedLoop;
  }

  /** What may leave in this minute. */
  take(now: Date): number {
    const { granted, throttle } = takeFrom(throttleAt(this.throttle, { stage: this.span, now }), { count: 1e6, now });
    this.throttle = throttle;
    return granted;
  }

  /** As the job does each minute: the end of a stage, and each hour whether it is broken already. */
  look(now: Date, day: number): void {
    const isOver = now >= this.span.endsAt;
    const ms = now.getTime() - this.span.startedAt.getTime();
    const isHour = ms > 0 && ms % HOUR_MS === 0;
    const { stage, plan, counts } = this;
    const judged = { stage, stages: plan.length, volume: this.span.volume, counts, isEarly: !isOver };
    if (!isOver && !(this.#isClosedLoop && isHour && isBroken(judged))) return;
    const isLast = stage === plan.length;
    const { verdict, nextStage, smallerVolume, isWarm, why } = this.#isClosedLoop
      ? decide(judged)
      : { verdict: 'advance', nextStage: isLast ? stage : stage + 1, smallerVolume: null, isWarm: isLast, why: '' };
    this.decisions.push(`day ${day}, stage ${stage} (${this.span.volume.toLocaleString('en')}): ${verdict}. ${why}`);
    if (smallerVolume !== null) this.plan = [smallerVolume, ...plan];
    this.stage = nextStage;
    this.isWarm = isWarm;
    this.counts = { ...NOTHING };
    this.span = this.#spanOf(isOver ? now : this.span.endsAt);
    this.throttle = openThrottle(this.span);
  }

  #spanOf(startedAt: Date) {
    const endsAt = new Date(startedAt.getTime() + STAGE_MS);
    return { volume: this.plan[this.stage - 1] as number, startedAt, endsAt };
  }
}

/** There is always more to send than may leave; a warm address sends its target, evenly. */
function simulate(rule: Rule, isClosedLoop: boolean): Course {
  const receiver = createReceiver(rule);
  const warming = new Warming(isClosedLoop);
  const minutes: { left: number; limit: number }[] = [];
  const course: Course = { delivered: 0, deferred: 0, fullOn: undefined, hoursOver: 0, decisions: warming.decisions };
  for (let day = 1; day <= DAYS; day += 1) {
    let [delivered, deferred] = [0, 0];
    for (let minute = 0; minute < 1440; minute += 1) {
      const now = new Date(START.getTime() + ((day - 1) * 1440 + minute) * MINUTE_MS);
      if (!warming.isWarm) warming.look(now, day);
      const limit = warming.isWarm ? Infinity : warming.throttle.hourlyLimit;
      const even = Math.floor(((minute + 1) * TARGET_DEFAULT) / 1440) - Math.floor((minute * TARGET_DEFAULT) / 1440);
      const left = warming.isWarm ? even : warming.take(now);
      minutes.push({ left, limit: warming.isWarm ? limit : Math.max(limit, warming.throttle.hourlyLimit) });
      for (let one = 0; one < left; one += 1) {
        const end = count(warming.counts, receiver);
        if (end === 'deferred') deferred += 1;
        else if (end === 'delivered') delivered += 1;
      }
    }
    if (delivered >= TARGET_DEFAULT * 0.95) course.fullOn ??= day;
    course.delivered += delivered;
    course.deferred += deferred;
    receiver.endDay();
  }
  course.hoursOver = hoursOver(minutes);
  return course;
}

const number = (value: number): string => value.toLocaleString('en').padStart(11);
const dayOf = ({ fullOn }: Course): string => (fullOn === undefined ? `not in ${DAYS} days` : `day ${fullOn}`);

/** `npm run bench -- warm-up`. */
export async function run(): Promise<void> {
  console.log(`SIMULATED, ${DAYS} days, target ${TARGET_DEFAULT.toLocaleString('en')} a day; no mail is sent.\n`);
  for (const rule of RULES) {
    const loop = simulate(rule, true);
    const fixed = simulate(rule, false);
    console.log(
      `${rule.name} receiver (takes ${rule.first} on the first day, × ${rule.grows} after a good one, ` +
        `× ${rule.falls} after a bad one)`,
    );
    console.log(`${''.padEnd(14)}  full volume        delivered    deferred  hours over the limit`);
    for (const [name, course] of Object.entries({ 'closed loop': loop, 'fixed stages': fixed }))
      console.log(
        `${name.padEnd(14)}  ${dayOf(course).padEnd(15)}${number(course.delivered)} ${number(course.deferred)}` +
          `  ${course.hoursOver}`,
      );
    console.log(`decisions of the closed loop:\n  ${loop.decisions.join('\n  ')}\n`);
    if (loop.hoursOver + fixed.hoursOver > 0) process.exitCode = 1;
  }
}
