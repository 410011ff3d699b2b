import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  decide,
  faultOfPlan,
  forecastOf,
  giveBack,
  isAboutReputation,
  openThrottle,
  planTo,
  takeFrom,
  throttleAt,
  type StageCounts,
} from './index.ts';

const START = new Date('2026-03-01T09:30:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const after = (ms: number): Date => new Date(START.getTime() + ms);
const stageOf = (volume: number) => ({ volume, startedAt: START, endsAt: after(DAY) });

/** Moments at which messages leave when as many are asked for as there are, every so often. */
function departures(
  volume: number,
  { everyMs, from = 0, until = DAY }: { everyMs: number; from?: number; until?: number },
) {
  const stage = stageOf(volume);
  let throttle = openThrottle(stage);
  const at: number[] = [];
  const limits = new Map<number, number>();
  for (let ms = from; ms < until; ms += everyMs) {
    throttle = throttleAt(throttle, { stage, now: after(ms) });
    limits.set(Math.floor(ms / HOUR), throttle.hourlyLimit);
    const taken = takeFrom(throttle, { count: 1_000_000, now: after(ms) });
    throttle = taken.throttle;
    for (let one = 0; one < taken.granted; one += 1) at.push(ms);
  }
  return { at, limits, throttle };
}

/** The most within any 60 minutes. */
function mostWithinAnHour(at: readonly number[]): number {
  let [most, first] = [0, 0];
  for (let last = 0; last < at.length; last += 1) {
    while (at[last]! - at[first]! >= HOUR) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

describe('the hourly limit', () => {
  for (const volume of [1, 7, 24, 50, 480, 5064, 53_328])
    it(`lets all ${volume} of a stage leave, and never more than the limit within any 60 minutes`, () => {
      const { at, limits } = departures(volume, { everyMs: 500 });
      assert.ok(at.length <= volume);
      assert.ok(at.length >= Math.floor(volume * 0.99) - 1, `${at.length} left`);
      assert.ok(mostWithinAnHour(at) <= Math.max(...limits.values()));
      for (const [hour, limit] of limits)
        assert.ok(at.filter((ms) => Math.floor(ms / HOUR) === hour).length <= limit, `hour ${hour}`);
    });

  it('is a 24th of the stage at its start, and a minute has a minute’s worth', () => {
    const { at, limits } = departures(48_000, { everyMs: 100, until: MINUTE });
    assert.equal(limits.get(0), 2000);
    assert.ok(at.length <= 2 * Math.ceil(2000 / 60), `${at.length} in the first minute`);
  });

  it('grows when less left before, up to a sixth of the stage', () => {
    const late = departures(480, { everyMs: 1000, from: 12 * HOUR, until: 13 * HOUR });
    assert.equal(late.limits.get(12), 40);
    const last = departures(480, { everyMs: 1000, from: 23 * HOUR });
    assert.equal(last.limits.get(23), 80);
  });

  it('says when the next may leave, and then it may', () => {
    const stage = stageOf(480);
    const first = takeFrom(throttleAt(openThrottle(stage), { stage, now: START }), { count: 5, now: START });
    assert.equal(first.granted, 1);
    assert.equal(first.nextAt!.toISOString(), '2026-03-01T09:33:00.000Z');
    const before = new Date(first.nextAt!.getTime() - 1);
    assert.equal(takeFrom(throttleAt(first.throttle, { stage, now: before }), { count: 1, now: before }).granted, 0);
    const now = first.nextAt!;
    assert.equal(takeFrom(throttleAt(first.throttle, { stage, now }), { count: 1, now }).granted, 1);
  });

  it('grants nothing before the stage begins', () => {
    const now = after(-HOUR);
    const stage = stageOf(480);
    const taken = takeFrom(throttleAt(openThrottle(stage), { stage, now }), { count: 1, now });
    assert.deepEqual([taken.granted, taken.nextAt], [0, START]);
  });

  it('takes back what was not used', () => {
    const stage = stageOf(480);
    const { throttle } = takeFrom(openThrottle(stage), { count: 1, now: START });
    const again = takeFrom(giveBack(throttle, 1), { count: 1, now: START });
    assert.deepEqual([again.granted, again.throttle.sentInStage, again.throttle.sentInHour], [1, 1, 1]);
  });

  it('ends with the stage’s volume even when nobody closes the stage', () => {
    const { at } = departures(48, { everyMs: MINUTE, until: 3 * DAY });
    assert.equal(at.length, 48);
  });
});

const FINE: StageCounts = { sent: 480, delivered: 478, hardBounces: 2, reputation: 0, complaints: 0 };
const decided = (counts: Partial<StageCounts>, stage = 3) =>
  decide({ stage, stages: 15, volume: 480, counts: { ...FINE, ...counts } });

describe('a decision', () => {
  const cases: [what: string, counts: Partial<StageCounts>, verdict: string, next: number, why: RegExp][] = [
    ['goes on', {}, 'advance', 4, /^It goes on to stage 4\. 480 of 480 messages left\. 2 hard bounces in 480 finished/],
    ['goes on in spite of one complaint', { complaints: 1 }, 'advance', 4, /one alone says too little/],
    [
      'holds for two complaints',
      { complaints: 2 },
      'hold',
      3,
      /^Stage 3 begins again\. 2 complaints in 478 delivered messages: 0\.42% \(at 95%: 0\.11% to 1\.5%\); the limit is 0\.1%\.$/,
    ],
    ['holds for bounces', { hardBounces: 15, delivered: 465 }, 'hold', 3, /15 hard bounces in 480 finished deliveries/],
    [
      'holds for replies about reputation',
      { reputation: 20 },
      'hold',
      3,
      /20 replies about reputation in 480 attempts: 4\.2%/,
    ],
    [
      'steps back for many of them',
      { reputation: 90, delivered: 388 },
      'step back',
      2,
      /^It steps back to stage 2\. 90 replies about reputation .*limit for stepping back is 10%\.$/,
    ],
    ['steps back for complaints', { complaints: 12 }, 'step back', 2, /12 complaints/],
    [
      'holds when too little was sent',
      { sent: 100, delivered: 100, hardBounces: 0 },
      'hold',
      3,
      /100 of 480 messages left, 21% of it, and receivers have to see 50%/,
    ],
    ['holds when nothing was sent', { sent: 0, delivered: 0, hardBounces: 0 }, 'hold', 3, /0 of 480/],
    [
      'holds, and does not step back, for a few of few',
      { sent: 6, delivered: 4, hardBounces: 2 },
      'hold',
      3,
      /2 hard bounces in 6/,
    ],
  ];
  for (const [what, counts, verdict, next, why] of cases)
    it(what, () => {
      const made = decided(counts);
      assert.deepEqual([made.verdict, made.nextStage, made.isWarm], [verdict, next, false]);
      assert.match(made.why, why);
    });

  it('gets a smaller stage where there is none before', () => {
    const { nextStage, smallerVolume, why } = decided({ reputation: 200 }, 1);
    assert.deepEqual([nextStage, smallerVolume], [1, 240]);
    assert.match(why, /^It steps back: a stage of 240 messages is put before the first\. /);
    const counts = { ...FINE, sent: 15, delivered: 15, hardBounces: 0, reputation: 15 };
    const least = decide({ stage: 1, stages: 15, volume: 15, counts });
    assert.equal(least.smallerVolume, null);
    assert.match(least.why, /^Stage 1 begins again: there is none before it\./);
  });

  it('ends the plan after its last stage', () => {
    const { verdict, isWarm, why } = decided({}, 15);
    assert.deepEqual([verdict, isWarm], ['advance', true]);
    assert.match(why, /^The address is warm/);
  });
});

describe('a forecast', () => {
  const course = { stage: 2, stages: 15, stageEndsAt: new Date('2026-03-01T00:00:00Z') };
  const warmOn = (verdicts: ('advance' | 'hold' | 'step back')[]) =>
    forecastOf({ ...course, verdicts })
      .warmAt?.toISOString()
      .slice(0, 10);
  it('counts on every stage before the first decision', () => assert.equal(warmOn([]), '2026-03-14'));
  it('goes on as the stages did', () => assert.equal(warmOn(['advance', 'hold']), '2026-03-27'));
  it('has no day when nothing is gained', () => assert.equal(warmOn(['advance', 'step back', 'hold']), undefined));
});

describe('a plan', () => {
  it('follows the published schedule up to its target', () =>
    assert.deepEqual(planTo(1500), [480, 672, 936, 1320, 1500]));
  const faults: [volumes: number[], fault: RegExp][] = [
    [[], /^must have from 1 to 60 stages; it has 0\.$/],
    [[10, 0], /stage 2 is not/],
    [[10, 20, 15], /^must not fall from stage to stage; stage 3 is below stage 2\.$/],
  ];
  for (const [volumes, fault] of faults)
    it(`is not ${JSON.stringify(volumes)}`, () => assert.match(faultOfPlan(volumes) ?? '', fault));
  it('may stay level', () => assert.equal(faultOfPlan([10, 10, 20]), undefined));
});

describe('a reply about reputation', () => {
  const replies: [reply: string, is: boolean][] = [
    ['421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume', true],
    ['451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation.', true],
    ['421-4.7.28 Gmail has detected an unusual rate of unsolicited mail', true],
    ["550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. (S3140)", true],
    ['554 5.7.1 Service unavailable; client host blocked using zen.spamhaus.org', true],
    ['452 4.2.2 The mailbox is full', false],
    ['421 4.3.2 Too many connections', false],
    ['450 4.2.0 Greylisted, try again in five minutes', false],
    ['451 4.3.0 Internal resource temporarily unavailable', false],
  ];
  for (const [reply, is] of replies)
    it(`${is ? 'is' : 'is not'} ${reply}`, () => assert.equal(isAboutReputation(reply), is));
});
