import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_COUNTS, type Counts } from '../sending-health/index.ts';
import { judgeBand, type Band } from './index.ts';
import { BOUNCES, COMPLAINTS } from './limits.ts';

const judge = (counts: Partial<Counts>, more: Partial<Parameters<typeof judgeBand>[0]> = {}) =>
  judgeBand({
    counts: { ...NO_COUNTS, ...counts },
    daysSent: 5,
    isBound: false,
    band: 'new',
    heldDays: 30,
    ...more,
  });

describe('the band of a domain', () => {
  const cases: [what: string, from: Band, counts: Partial<Counts>, to: Band, reason: RegExp][] = [
    ['nothing was sent', 'good', {}, 'good', /^Small sample: 0 messages were sent in 7 days.*stays in good\.$/],
    ['few messages, all of them bounced', 'new', { hardBounces: 499 }, 'new', /^Small sample: 499 messages/],
    [
      'many bounces',
      'good',
      { delivered: 900, hardBounces: 100 },
      'poor',
      /^Hard bounces 10 % \(100 of 1,000 sent\) in 7 days; Amazon SES reviews senders from 5 % on\.$/,
    ],
    [
      'many complaints',
      'new',
      { delivered: 5000, complaints: 21 },
      'poor',
      /^Complaints 0\.42 % \(21 of 5,000 delivered\) in 7 days; Google and Yahoo ask senders never to reach 0\.3 %\.$/,
    ],
    [
      'two complaints of six hundred, which may be chance',
      'good',
      { delivered: 600, complaints: 2 },
      'good',
      /^Small sample: Complaints 0\.333 % \(2 of 600 delivered\) may stand for anything from 0\.091 % to 1\.2 %: /,
    ],
    [
      'good rates',
      'new',
      { delivered: 4000, complaints: 1, hardBounces: 20 },
      'good',
      /^Complaints 0\.025 % \(1 of 4,000 delivered\), Hard bounces 0\.498 % \(20 of 4,020 sent\) in 7 days, below 0\.1 % and 2 %\.$/,
    ],
    [
      'good rates of too few',
      'new',
      { delivered: 1000 },
      'new',
      /^Small sample: Complaints 0 % \(0 of 1,000 delivered\)/,
    ],
    [
      'complaints between the limits',
      'good',
      { delivered: 10_000, complaints: 20 },
      'good',
      /^Complaints 0\.2 % .* are between 0\.1 %, below which a domain is good, and 0\.3 %, from which it is poor: the domain stays in good\.$/,
    ],
    [
      'complaints between the limits, of a poor domain',
      'poor',
      { delivered: 10_000, complaints: 20 },
      'poor',
      /poor\.$/,
    ],
    [
      'bounces between the limits',
      'new',
      { delivered: 9700, hardBounces: 300 },
      'new',
      /^Hard bounces 3 %.*between 2 %/,
    ],
  ];
  for (const [what, from, counts, to, reason] of cases)
    it(`${from}, ${what}: ${to}`, () => {
      const found = judge(counts, { band: from });
      assert.equal(found.band, to, found.reason);
      assert.match(found.reason, reason);
    });

  it('is no band without mail on several days', () => {
    const found = judge({ delivered: 4000 }, { daysSent: 2 });
    assert.deepEqual([found.band, /on 2 of the 3 days that good needs/.test(found.reason)], ['new', true]);
  });
  it('is new at first, and may be any other at once', () => {
    assert.equal(judge({}, { band: null, heldDays: 0 }).band, 'new');
    assert.equal(judge({ delivered: 4000 }, { band: null, heldDays: 0 }).band, 'good');
    assert.equal(judge({ hardBounces: 4000 }, { band: null, heldDays: 0 }).band, 'poor');
  });
  it('stays poor for as long as the window is', () => {
    const counts = { delivered: 4000 };
    assert.equal(judge(counts, { band: 'poor', heldDays: 6.9 }).band, 'poor');
    assert.match(judge(counts, { band: 'poor', heldDays: 6.9 }).reason, /became poor less than 7 days ago/);
    assert.equal(judge(counts, { band: 'poor', heldDays: 7 }).band, 'good');
  });
  it('says both reasons, what is not known, and what was not counted', () => {
    const found = judge({ delivered: 900, complaints: 950, hardBounces: 100 }, { isBound: true });
    assert.match(found.reason, /^Complaints 100 %.*\. Hard bounces 10 %.*More was sent than is counted\.$/);
    const { reason, ...rates } = judge({ expired: 600 });
    assert.deepEqual(rates, { band: 'new', bounceRate: 0, complaintRate: null, processedCount: 600 });
    assert.match(reason, /^Small sample: Complaints 0 % \(0 of 0 delivered\)/);
    assert.deepEqual([judge({}).bounceRate, judge({}).complaintRate], [null, null]);
  });
  it('does not go to and fro between the limits', () => {
    let band: Band = 'good';
    let moves = 0;
    // The rate swings around 0.2 % by half of it, for 200 days.
    for (let day = 0; day < 200; day += 1) {
      const complaints = Math.round(10_000 * (0.002 + 0.0009 * Math.sin(day)));
      const next: Band = judge({ delivered: 10_000, complaints }, { band, heldDays: 30 }).band;
      if (next !== band) moves += 1;
      band = next;
    }
    assert.deepEqual([moves, band], [0, 'good']);
  });
  it('has limits with their sources', () => {
    for (const { goodBelow, poorFrom, sources } of [COMPLAINTS, BOUNCES]) {
      assert.ok(goodBelow < poorFrom);
      for (const { url, asOf } of sources) assert.match(`${url} ${asOf}`, /^https:\/\/\S+ 20\d\d/);
    }
  });
});
