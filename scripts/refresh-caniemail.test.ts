import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { digestsOf, normalize, write } from './refresh-caniemail.ts';

const folder = new URL('../data/caniemail/', import.meta.url);
const stored = JSON.parse(readFileSync(new URL('caniemail.json', folder), 'utf8')) as ReturnType<typeof normalize>;

describe('the caniemail data', () => {
  it('has only notes that were read against the rules', () => {
    const reviewed = JSON.parse(readFileSync(new URL('reviewed-notes.json', folder), 'utf8')) as Record<string, string>;
    const digests = digestsOf(stored);
    const changed = Object.keys({ ...reviewed, ...digests }).filter((note) => reviewed[note] !== digests[note]);
    assert.deepEqual(
      changed,
      [],
      'read these notes, fix their rules, then run `node scripts/refresh-caniemail.ts --reviewed`',
    );
  });

  it('is stored exactly as the refresh script writes it', () => {
    assert.equal(readFileSync(new URL('caniemail.json', folder), 'utf8'), write(stored));
  });

  it('keeps versions in their order, whole numbers too, and repairs pairs of one kind that are swapped', () => {
    const raw = JSON.stringify({
      api_version: '1',
      last_update_date: '2026-01-01',
      nicenames: {},
      data: [
        {
          slug: 'b',
          title: 'B',
          category: 'css',
          last_test_date: '2026-01-01',
          notes_by_num: { 1: ' One. ' },
          stats: { mail: { macos: 'MACOS', web: { '2024-04': 'y', '2024-01': 'n' } } },
        },
      ],
    }).replace('"MACOS"', '{"10.13":"n","11":"a #1","2011":"n","2016":"y","16.80":"y #1"}');
    const [feature] = normalize(raw).data;
    assert.deepEqual(feature?.stats['mail']?.['macos'], [
      ['10.13', 'n'],
      ['11', 'a #1'],
      ['2011', 'n'],
      ['2016', 'y'],
      ['16.80', 'y #1'],
    ]);
    assert.deepEqual(feature?.stats['mail']?.['web'], [
      ['2024-01', 'n'],
      ['2024-04', 'y'],
    ]);
    assert.deepEqual(feature?.notes_by_num, { 1: 'One.' });
  });
});
