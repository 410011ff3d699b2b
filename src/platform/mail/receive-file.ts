// A message that is too large to be held in memory goes into a file as it comes.
import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { PASSING_SUFFIX, passingPath } from '../passing-files/index.ts';

export interface ReceivedFile {
  path: string;
  /** SHA-256 in hex. */
  digest: string;
  sizeBytes: number;
}

/** No message takes so long to arrive and to be read. */
const LEFT_MS = 3_600_000;
const BUFFER_BYTES = 1024 * 1024;

/** Makes the folder, and deletes what a process left there that died. */
export async function clearIncoming(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (const name of (await readdir(dir)).filter((one) => one.endsWith(PASSING_SUFFIX))) {
    const path = join(dir, name);
    // Another process may delete it at the same moment.
    const info = await stat(path).catch(() => undefined);
    if (info && Date.now() - info.mtimeMs > LEFT_MS) await rm(path, { force: true });
  }
}

export class IncomingFile {
  readonly path: string;
  readonly #out: WriteStream;
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;
  #failure: Error | undefined;

  constructor(dir: string) {
    this.path = passingPath(dir);
    this.#out = createWriteStream(this.path, { flags: 'wx', highWaterMark: BUFFER_BYTES });
    this.#out.on('error', (error) => (this.#failure = error));
  }

  /** False: wait for `whenDrained` before more is written. What follows a failure is dropped; `finish` tells it. */
  write(chunk: Buffer): boolean {
    if (this.#failure) return true;
    this.#hash.update(chunk);
    this.#sizeBytes += chunk.length;
    return this.#out.write(chunk);
  }

  /** One that fails never drains, it only closes. */
  whenDrained(proceed: () => void): void {
    const settle = (): void => {
      this.#out.off('drain', settle).off('close', settle);
      proceed();
    };
    if (this.#out.closed) proceed();
    else this.#out.on('drain', settle).on('close', settle);
  }

  /** The caller deletes the file. Throws what went wrong while it was written. */
  async finish(): Promise<ReceivedFile> {
    if (!this.#failure) await finished(this.#out.end());
    if (this.#failure) throw this.#failure;
    return { path: this.path, digest: this.#hash.digest('hex'), sizeBytes: this.#sizeBytes };
  }

  async discard(): Promise<void> {
    if (!this.#out.closed) {
      const closed = new Promise<void>((resolve) => this.#out.once('close', () => resolve()));
      this.#out.destroy();
      await closed;
    }
    await rm(this.path, { force: true });
  }
}
