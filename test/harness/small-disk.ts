// A disk that is soon full: a tmpfs of some megabytes. Mounting one needs root.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRoot } from './daemon.ts';

/** Why there can be none here; undefined when there can. */
export const smallDiskAbsence = isRoot ? undefined : 'mounting a small disk needs root';

/** Mounts an empty tmpfs, such as with `size=1m,ro`. Answers whether that worked. */
export function mount(options: string, path: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]).status === 0;
}

export interface SmallDisk {
  path: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/** Undefined where a tmpfs cannot be mounted. */
export async function makeSmallDisk(options: string): Promise<SmallDisk | undefined> {
  const path = await mkdtemp('/tmp/galley-disk-');
  const filler = join(path, 'filler');
  if (!mount(options, path)) {
    await rm(path, { recursive: true, force: true });
    return undefined;
  }
  return {
    path,
    fill() {
      const file = openSync(filler, 'w');
      for (const size of [1 << 20, 4096]) {
        const chunk = Buffer.alloc(size);
        try {
          for (;;) writeSync(file, chunk);
        } catch (error) {
          assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
        }
      }
      closeSync(file);
    },
    empty: () => rm(filler),
    async remove() {
      spawnSync('umount', [path]);
      await rm(path, { recursive: true, force: true });
    },
  };
}
