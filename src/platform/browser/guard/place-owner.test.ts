import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { sweepProfiles } from '../chromium/process.ts';
import { PLACE_OWNER } from './place-owner.ts';

it('removes the directories of processes that are gone, and none of the living or of another process namespace', async () => {
  const [, namespace] = PLACE_OWNER.split('-') as [string, string];
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  const expected = {
    [`${gone}-${namespace}`]: false,
    [PLACE_OWNER]: true,
    [`1-${namespace}`]: true,
    [`${gone}-1`]: true,
  };
  const path = (owner: string): string => join(tmpdir(), `galley-chromium-${owner}-0123456789ab`);
  for (const owner of Object.keys(expected)) mkdirSync(path(owner));
  try {
    await sweepProfiles();
    assert.deepEqual(
      Object.fromEntries(Object.keys(expected).map((owner) => [owner, existsSync(path(owner))])),
      expected,
    );
  } finally {
    for (const owner of Object.keys(expected)) rmSync(path(owner), { recursive: true, force: true });
  }
});
