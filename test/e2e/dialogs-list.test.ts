// The list of dialogs holds all that the dashboard has.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DIALOGS } from './dialog-openings.ts';

const SOURCES = join(import.meta.dirname, '../../web/src');

describe('the list of dialogs', () => {
  it('holds every file that draws one', async () => {
    const files = (await readdir(SOURCES, { recursive: true })).filter(
      (file) => file.endsWith('.tsx') && file !== 'ground/shell/dialog.tsx',
    );
    const drawing = (
      await Promise.all(
        files.map(async (file) =>
          /<(?:Side)?Dialog\b/.test(await readFile(join(SOURCES, file), 'utf8')) ? [file] : [],
        ),
      )
    ).flat();
    assert.deepEqual([...new Set(DIALOGS.map(({ file }) => file))].sort(), drawing.sort());
  });
});
