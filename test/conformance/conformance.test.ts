// Every operation of both lists on a running service, and the committed table of what came of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { startBed } from './bed.ts';
import { CALLS } from './calls/index.ts';
import { keyOf, LISTS } from './operations.ts';
import { documentOf } from './report.ts';
import { walk, type ListVerdict } from './walk.ts';

const DOCUMENT = join(import.meta.dirname, '../../docs/conformance.md');

describe('the conformance lists', () => {
  it('hold each operation once', () => {
    assert.deepEqual(
      LISTS.map(({ operations }) => [operations.length, new Set(operations.map(keyOf)).size]),
      [
        [110, 110],
        [210, 210],
      ],
    );
  });

  it('have every operation that is called', () => {
    const known = new Set(LISTS.flatMap(({ operations }) => operations.map(keyOf)));
    assert.deepEqual(
      Object.keys(CALLS).filter((key) => !known.has(key)),
      [],
    );
  });
});

describe('the running service', () => {
  let lists: ListVerdict[];
  before(async () => {
    await using bed = await startBed();
    lists = await walk(bed);
  });

  it('answers every operation that stands as the lists say', () => {
    const wrong = lists
      .flatMap(({ verdicts }) => verdicts)
      .filter(({ state }) => state === 'wrong')
      .map(({ operation, faults }) => [keyOf(operation), faults]);
    assert.deepEqual(Object.fromEntries(wrong), {});
  });

  it('is what docs/conformance.md says; `npm run conformance -- --write` renews it', () => {
    assert.equal(readFileSync(DOCUMENT, 'utf8'), documentOf(lists));
  });
});
