import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CORPORA } from './corpora.ts';
import { fitWeights, pointsOf, scoreOf, thresholdFor, type Example } from './fit.ts';
import { calledSpam } from './measure.ts';
import { splitCorpus } from './split.ts';
import type { CorpusMail } from './read-corpus.ts';

const written = new Map([
  ['BAIT', 1],
  ['LIE', 1],
  ['COMMON', 1],
  ['LIST', -0.3],
  ['SELDOM', 2],
  ['GTUBE', 1000],
]);
/** Bait stands in spam, lists in wanted mail, the common one in both. */
const EXAMPLES: Example[] = Array.from({ length: 200 }, (_, n) => {
  const isSpam = n % 2 === 0;
  return {
    collection: isSpam ? 'spam' : 'good',
    isSpam,
    weight: 1,
    hits: [
      ...(isSpam && n % 10 ? ['BAIT'] : []),
      ...(n % 20 === 0 ? ['LIE'] : []),
      ...(n % 3 ? ['COMMON'] : []),
      ...(!isSpam && n % 10 !== 3 ? ['LIST'] : []),
      ...(n === 8 ? ['SELDOM'] : []),
    ],
  };
});

describe('fitted weights', () => {
  const fit = fitWeights(EXAMPLES, { written, pull: 3 });
  it('keep the sign that their rule was written with, and leave alone what is seldom or fixed', () => {
    assert.deepEqual([...fit.weights.keys()], ['BAIT', 'COMMON', 'LIE', 'LIST']);
    for (const [rule, weight] of fit.weights) assert.equal(Math.sign(weight), Math.sign(written.get(rule)!), rule);
  });
  it('weigh what tells spam from wanted mail more than what stands in both', () =>
    assert.ok(fit.weights.get('BAIT')! > 4 * fit.weights.get('COMMON')!, JSON.stringify([...fit.weights])));
  it('are the same each time', () => assert.deepEqual(fitWeights(EXAMPLES, { written, pull: 3 }), fit));
  it('become points such that wanted mail stays below the threshold', () => {
    const scores = EXAMPLES.map((example) => scoreOf(example, fit, written));
    const threshold = thresholdFor(EXAMPLES, scores, { good: 0 });
    const points = pointsOf(fit, threshold, 5);
    assert.ok(
      EXAMPLES.every(({ isSpam, hits }) => isSpam || hits.reduce((sum, rule) => sum + (points[rule] ?? 0), 0) < 5.2),
    );
    assert.ok(
      Object.values(points).every(
        (value) =>
          (value !== 0 && Math.round(value * 10) === value * 10) ||
          Math.abs(value * 10 - Math.round(value * 10)) < 1e-9,
      ),
    );
  });
});

describe('figures', () => {
  it('have Wilson’s interval', () => {
    assert.deepEqual(calledSpam(Array.from({ length: 148 }, () => false)), {
      messages: 148,
      called_spam: 0,
      share: 0,
      low: 0,
      high: 0.0253,
    });
    assert.deepEqual(calledSpam(Array.from({ length: 10 }, (_, n) => n < 8)), {
      messages: 10,
      called_spam: 8,
      share: 0.8,
      low: 0.4902,
      high: 0.9433,
    });
  });
  it('are of the later half, where weights are fitted to the older one', () => {
    const corpus = CORPORA.find(({ id }) => id === 'sa-spam')!;
    const mails = ['2002-03-01', undefined, '2002-01-01', '2002-02-01', '2002-04-01'].map(
      (day, n) =>
        ({ corpus, name: String(n), digest: String(n), receivedAt: day ? new Date(day) : undefined }) as CorpusMail,
    );
    const { fitted, measured } = splitCorpus(mails);
    assert.deepEqual(
      [fitted, measured].map((half) => half.map(({ name }) => name)),
      [
        ['2', '3'],
        ['0', '4'],
      ],
    );
  });
});
