import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { daysUntil, ownComplaints, ownErrors, reputationWords } from './figure-words.ts';
import type { Figures } from './postmaster-api.ts';
import { readPostmasterSearch } from './postmaster-search.ts';

const RECORD: Figures = {
  provider: 'google',
  domain: 'shop.example',
  date: '2026-03-01',
  source: 'api',
  spam_ratio: 0.001,
  spf_ratio: null,
  dkim_ratio: null,
  dmarc_ratio: null,
  encryption_ratio: null,
  delivery_error_ratio: null,
  delivered: null,
  reputation: 3,
  reputation_source: 'own_events',
  own: { sent: 100, delivered: 80, refused: 20, deferred: 60, complaints: 4 },
};

describe('figures of a day', () => {
  it('are shares of what they are counted of', () => {
    assert.equal(ownComplaints(RECORD), 0.05);
    assert.equal(ownErrors(RECORD), 0.5);
  });
  it('are none where nothing was seen', () => {
    assert.equal(ownComplaints({ ...RECORD, own: null }), null);
    const own = { sent: 0, delivered: 0, refused: 0, deferred: 0, complaints: 0 };
    assert.deepEqual([ownComplaints({ ...RECORD, own }), ownErrors({ ...RECORD, own })], [null, null]);
  });
  it('name a reputation, and who says so', () => {
    assert.equal(reputationWords(RECORD), 'medium, by Galley');
    assert.equal(reputationWords({ ...RECORD, reputation: 1, reputation_source: 'upload' }), 'bad');
    assert.equal(reputationWords({ ...RECORD, reputation: null, reputation_source: null }), null);
  });
});

describe('days', () => {
  it('are all of them, over the end of a month', () =>
    assert.deepEqual(daysUntil(new Date('2026-03-01T23:59:59Z'), 2), ['2026-02-27', '2026-02-28', '2026-03-01']));
});

describe('what the address remembers', () => {
  const cases: [Record<string, unknown>, object][] = [
    [{}, {}],
    [{ provider: 'google', days: 30 }, {}],
    [
      { provider: 'yahoo', of: 'shop.example', days: '90' },
      { provider: 'yahoo', of: 'shop.example', days: 90 },
    ],
    [{ provider: 'other', of: '', days: 7 }, {}],
  ];
  for (const [given, read] of cases)
    it(`of ${JSON.stringify(given)}`, () => assert.deepEqual(readPostmasterSearch(given), read));
});
