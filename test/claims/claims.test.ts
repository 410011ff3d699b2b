// The claims on the pictures that the product makes today, and the figures that are published of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import measured from '../../data/clients/measured.json' with { type: 'json' };
import { findClient } from '../../src/engines/client-emulation/index.ts';
import { FAMILIES } from './families.ts';
import type { RunRecord } from './first-run.ts';
import { REASONS } from './reasons.ts';
import { documentOf, tableOf } from './report.ts';
import { CLAIMS } from './rows/index.ts';
import { SOURCES } from './sources.ts';
import { countByFamily, isDark } from './table.ts';
import { tryClaims } from './try-claims.ts';

const CLAIMS_MIN = 200;
/** Each has its own time: together they take a busy machine minutes. */
const PARTS = 10;
const DARK_MIN = 40;
/** Shares of the claims that are to be hit. */
const FAMILY_SHARE_MIN = 0.9;
const SHARE_MIN = 0.95;

const published = measured as unknown as RunRecord;
const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe('the claims', () => {
  it('are at least two hundred, each with a name of its own and what its picture must show', () => {
    assert.ok(CLAIMS.length >= CLAIMS_MIN);
    assert.equal(new Set(CLAIMS.map(({ id }) => id)).size, CLAIMS.length);
    for (const { id, clients, expect } of CLAIMS) {
      assert.ok(expect.length > 0 && clients.length > 0, id);
      for (const client of clients) assert.ok(findClient(client), `${id}: ${client}`);
      const isOnlyOfAbsence = expect.every((expectation) => 'lacks' in expectation);
      assert.ok(!isOnlyOfAbsence || id === 'word-endif-slash', `${id}: an empty picture would be a hit`);
    }
    assert.ok(CLAIMS.filter(isDark).length >= DARK_MIN);
  });

  it('name a published source with its date, and not the table that the emulation is built on', () => {
    const used = new Set<string>(CLAIMS.map(({ source }) => source));
    for (const [name, { url, date }] of Object.entries(SOURCES)) {
      assert.ok(used.has(name), `no claim uses the source ${name}`);
      assert.match(url, /^https?:\/\//);
      assert.match(date, /^20\d\d(-\d\d(-\d\d)?)?$/);
      assert.doesNotMatch(url, /caniemail\.com\/features|caniemail\/blob/);
    }
  });

  const outcomes: Awaited<ReturnType<typeof tryClaims>> = [];
  for (let part = 0; part < PARTS; part += 1)
    it(`are hit where it is published (part ${part + 1} of ${PARTS})`, async () => {
      const tried = await tryClaims(CLAIMS.filter((_, at) => at % PARTS === part));
      const misses = tried.filter(({ hit }) => !hit).map(({ claim, family }) => `${claim} (${family})`);
      const known = new Set(published.misses.map(({ claim, family }) => `${claim} (${family})`));
      assert.deepEqual(
        misses.filter((miss) => !known.has(miss)),
        [],
        'these were hit when it was published',
      );
      outcomes.push(...tried);
    });

  it('are hit as often as is published', () => {
    for (const [family, { claims, hits }] of countByFamily(outcomes)) {
      assert.equal(claims, published.families[family]?.claims, `${family}: run \`npm run fidelity -- --write\``);
      assert.ok(hits >= published.families[family]!.hits);
    }
  });
});

describe('the published figures', () => {
  it('hit nine of ten claims in every family, and 95 of 100 in all, of as many claims as are wanted', () => {
    let [claims, hits] = [0, 0];
    for (const [family, least] of Object.entries(FAMILIES)) {
      const count = published.families[family]!;
      assert.ok(count.claims >= least, `${family} has ${count.claims} claims`);
      assert.ok(count.hits / count.claims >= FAMILY_SHARE_MIN, `${family}: ${count.hits} of ${count.claims}`);
      claims += count.claims;
      hits += count.hits;
    }
    assert.ok(hits / claims >= SHARE_MIN, `${hits} of ${claims}`);
  });

  it('give a reason for every miss, and for nothing else', () => {
    assert.deepEqual(new Set(Object.keys(REASONS)), new Set(published.misses.map(({ claim }) => claim)));
  });

  it('stand in the documents', () => {
    assert.equal(textOf('docs/fidelity.md'), documentOf(published));
    assert.ok(textOf('README.md').includes(tableOf(published)));
  });
});
