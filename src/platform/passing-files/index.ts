// Files that pass through: what is too large for memory lies in one until it was read.
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** By it a process that starts knows what one that died has left. */
export const PASSING_SUFFIX = '.incoming';

/** Where they lie, below the directory of all data. */
export const passingDir = ({ dataDir }: { dataDir: string }): string => join(dataDir, 'incoming');

export const passingPath = (dir: string): string => join(dir, `${randomUUID()}${PASSING_SUFFIX}`);

/** A file as it is read. */
export const piecesOf = (path: string): Readable => createReadStream(path, { highWaterMark: 256 * 1024 });

/** A file that is not there yet. */
export const intoNewFile = (path: string): Writable => createWriteStream(path, { flags: 'wx' });

/** Has a file made of a stream: both pass through files in `dir`, and what was made is gone when it was read. */
export async function passThrough(
  dir: string,
  given: Readable,
  make: (from: string, to: string) => Promise<void>,
): Promise<{ sizeBytes: number; body: Readable }> {
  await mkdir(dir, { recursive: true });
  const [from, to] = [passingPath(dir), passingPath(dir)];
  try {
    await pipeline(given, intoNewFile(from));
    await make(from, to);
    const { size: sizeBytes } = await stat(to);
    const body = createReadStream(to);
    body.once('close', () => void rm(to, { force: true }));
    return { sizeBytes, body };
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  } finally {
    await rm(from, { force: true });
  }
}
