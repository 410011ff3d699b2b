import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readCmap } from './cmap.ts';
import { tableOf } from './glyphs.ts';
import { readSfnt } from './sfnt.ts';
import { readWoff2 } from './woff2.ts';

const FILES = join(import.meta.dirname, '../../../../node_modules/@fontsource-variable/noto-sans-jp/files');

describe('WOFF 2.0 files', () => {
  it('that are read at once, while the decoder still starts, are each read whole', async () => {
    const names = readdirSync(FILES).filter((name) => name.endsWith('-wght-normal.woff2'));
    assert.ok(names.length > 100);
    const slices = names.map((name) => readFileSync(join(FILES, name)));
    const atOnce = await Promise.all(slices.map((slice) => readWoff2(slice)));
    for (const [index, slice] of slices.entries()) {
      assert.ok((await readWoff2(slice)).equals(atOnce[index]!), names[index]);
      assert.ok(readCmap(tableOf(readSfnt(atOnce[index]!), 'cmap')).size > 0);
    }
  });

  it('that are none are refused, and the next one is read', async () => {
    const slice = readFileSync(join(FILES, 'noto-sans-jp-latin-wght-normal.woff2'));
    const [none, good] = await Promise.allSettled([readWoff2(Buffer.from('no font')), readWoff2(slice)]);
    assert.deepEqual([none.status, good.status], ['rejected', 'fulfilled']);
  });
});
