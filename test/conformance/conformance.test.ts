// Every operation of both lists on a running service, and the committed table of what came of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { startBed, type Bed } from './bed.ts';
import { CALLS } from './calls/index.ts';
import { keyOf, LISTS } from './operations.ts';
import { documentOf } from './report.ts';
import { walk, type ListVerdict } from './walk.ts';

const DOCUMENT = join(import.meta.dirname, '../../docs/conformance.md');

/** Operations that answered a good call, change something, and left no entry in the audit log. */
async function changesWithoutEntry(bed: Bed, lists: readonly ListVerdict[]): Promise<string[]> {
  const { paths } = await bed.get('GET /openapi.json');
  const { items } = await bed.get('GET /v1/audit', { query: { limit: '1000', include_subaccounts: 'true' } });
  const noted = new Set(items.map(({ operation }: { operation: string }) => operation));
  const patternOf = (path: string): string => path.replaceAll(/\{[\w-]+\}/g, '{}');
  const known = new Map(
    Object.entries<any>(paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods).map(([method, one]) => [`${method.toUpperCase()} ${patternOf(path)}`, one]),
    ),
  );
  return lists
    .flatMap(({ verdicts }) => verdicts)
    .filter(({ state, operation }) => state === 'right' && operation.method !== 'GET')
    .map(({ operation }) => known.get(patternOf(keyOf(operation))))
    .filter((one) => one && !one.security && !one.description?.includes('Not in the audit log: '))
    .map(({ operationId }) => operationId)
    .filter((id) => !noted.has(id));
}

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
  let unaudited: string[];
  before(async () => {
    await using bed = await startBed();
    lists = await walk(bed);
    unaudited = await changesWithoutEntry(bed, lists);
  });

  it('has an entry of the audit log for every change that it answered well', () => assert.deepEqual(unaudited, []));

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
