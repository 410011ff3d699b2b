import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COMPONENTS, healthOf, measureOf, NO_COUNTS, sentOf } from './index.ts';

describe('what an event counts as', () => {
  const nothing = { severity: null, reason: null, code: null, enhancedCode: null, bounceType: null };
  const failed = (reason: string, more = {}) => ({
    ...nothing,
    event: 'failed',
    severity: 'permanent',
    reason,
    ...more,
  });
  const cases: [what: string, told: Parameters<typeof measureOf>[0], measure: string | undefined][] = [
    ['a delivery', { ...nothing, event: 'delivered' }, 'delivered'],
    ['a complaint', { ...nothing, event: 'complained' }, 'complaints'],
    ['a message that was refused by ourselves', { ...nothing, event: 'rejected' }, undefined],
    ['a name that objects have', { ...nothing, event: 'constructor' }, undefined],
    ['a try that is made again', failed('generic', { severity: 'temporary', code: 452 }), 'softBounces'],
    ['no such mailbox', failed('bounce', { code: 550, enhancedCode: '5.1.1', bounceType: 'hard' }), 'hardBounces'],
    ['a bounce that says no more', failed('bounce', { code: 550 }), 'hardBounces'],
    ['a full mailbox', failed('bounce', { code: 552, enhancedCode: '5.2.2', bounceType: 'soft' }), 'fullMailboxes'],
    ['a mailbox that stayed full', failed('old', { code: 602, enhancedCode: '4.2.2' }), 'fullMailboxes'],
    ['552 alone', failed('generic', { code: 552 }), 'fullMailboxes'],
    ['552 of a message that is too large', failed('generic', { code: 552, enhancedCode: '5.3.4' }), 'refused'],
    ['a refusal of policy', failed('generic', { code: 550, enhancedCode: '5.7.1' }), 'refused'],
    ['a soft bounce that came back', failed('bounce', { code: 550, bounceType: 'soft' }), 'refused'],
    ['what was tried for too long', failed('old', { code: 602 }), 'expired'],
    ['what was not tried', failed('suppress-bounce', { code: 605 }), 'suppressed'],
  ];
  for (const [what, told, measure] of cases) it(what, () => assert.equal(measureOf(told), measure));
  it('a message that was sent is one that came to an end', () =>
    assert.equal(sentOf({ ...NO_COUNTS, delivered: 5, hardBounces: 1, expired: 2, suppressed: 9, softBounces: 9 }), 8));
});

describe('the health score', () => {
  const counts = { ...NO_COUNTS, delivered: 100_000 };
  const words = (name: string, input: Parameters<typeof healthOf>[0]) =>
    healthOf(input).components.find((component) => component.name === name)?.words;

  it('has weights that make a hundred', () =>
    assert.equal(
      COMPONENTS.reduce((sum, { weight }) => sum + weight, 0),
      100,
    ));
  it('is a hundred within every limit', () => {
    const good = { ...counts, complaints: 100, hardBounces: 500 };
    assert.equal(healthOf({ counts: good, trapHits: 0 }).score, 100);
  });
  it('loses by the line between two limits, and says so', () => {
    // (0.21 % − 0.1 %) / (0.3 % − 0.1 %) × 35
    const found = healthOf({ counts: { ...counts, complaints: 210 }, trapHits: 0 });
    assert.equal(found.score, 81);
    assert.equal(found.components[0]?.lost, 19.25);
    assert.equal(
      found.components[0]?.words,
      "−19: complaints 0.21 %, the large providers' limit is 0.1 %, and 0.3 % must never be reached.",
    );
  });
  it('loses no more than a weight, and is nothing when all is lost', () => {
    const worst = {
      ...NO_COUNTS,
      delivered: 100,
      complaints: 50,
      hardBounces: 100,
      fullMailboxes: 100,
      refused: 100,
    };
    assert.equal(healthOf({ counts: worst, trapHits: 50 }).score, 0);
    assert.equal(healthOf({ counts: { ...counts, complaints: 50_000 }, trapHits: 0 }).score, 65);
  });
  it('says that traps are not measured where there are none', () => {
    assert.equal(
      words('trap', { counts, trapHits: null }),
      'spam trap hits: not measured, because no spam trap is set up and no report was imported.',
    );
    assert.match(words('trap', { counts, trapHits: 1 })!, /^less than −1: spam trap hits 0\.001 %, no provider/);
    assert.match(words('trap', { counts, trapHits: 25 })!, /^−10: spam trap hits 0\.025 %/);
  });
  it('says how sure a small sample is', () => {
    // Wilson at 95 % of 1 in 1,000: 0.0177 % to 0.5643 %.
    const small = { ...NO_COUNTS, delivered: 1000, complaints: 1 };
    const found = healthOf({ counts: small, trapHits: null });
    assert.equal(found.isSmallSample, true);
    assert.deepEqual(found.components[0]?.interval, { low: 0.0001765, high: 0.0056426 });
    assert.deepEqual(found.interval, { low: 65, high: 100 });
    assert.equal(found.score, 100);
  });
  it('of nothing is not known', () => {
    const found = healthOf({ counts: NO_COUNTS, trapHits: 0 });
    assert.deepEqual([found.interval, found.sent], [{ low: 0, high: 100 }, 0]);
    assert.match(found.components[0]!.words, /nothing was sent/);
  });
});
