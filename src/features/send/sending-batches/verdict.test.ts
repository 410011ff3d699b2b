import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verdictOf, type Sampled } from './verdict.ts';

const of = (known: Partial<Sampled>): Sampled => ({
  sample: 200,
  bouncedMax: 10,
  deferredMax: 50,
  delivered: 0,
  bounced: 0,
  deferred: 0,
  untried: 0,
  ...known,
});

describe('the verdict on a batch', () => {
  const cases: [what: string, known: Partial<Sampled>, verdict: string | undefined, late: string][] = [
    ['nothing is known', {}, undefined, 'passed'],
    ['as much bounced as may', { delivered: 179, bounced: 20 }, undefined, 'held'],
    ['all are known, and as much bounced as may', { delivered: 180, bounced: 20 }, 'passed', 'passed'],
    ['one more bounced', { bounced: 21 }, 'held', 'held'],
    ['so few are unknown that it cannot fail', { delivered: 180 }, 'passed', 'passed'],
    ['one more is unknown', { delivered: 179 }, undefined, 'passed'],
    ['half were deferred', { deferred: 100, delivered: 100 }, 'passed', 'passed'],
    ['more were deferred', { deferred: 101 }, 'held', 'held'],
    ['some were not tried, and the others are few', { untried: 190, bounced: 1, delivered: 9 }, 'passed', 'passed'],
    ['two of these bounced', { untried: 190, bounced: 2 }, 'held', 'held'],
    ['none was tried', { untried: 200 }, 'passed', 'passed'],
    ['none may bounce', { bouncedMax: 0, bounced: 1 }, 'held', 'held'],
    ['all may bounce', { bouncedMax: 100, deferredMax: 100, bounced: 200 }, 'passed', 'passed'],
  ];
  for (const [what, known, verdict, late] of cases)
    it(`when ${what}: ${verdict ?? 'open'}, and ${late} if no more comes`, () => {
      assert.deepEqual([verdictOf(of(known), false), verdictOf(of(known), true)], [verdict, late]);
    });
});
