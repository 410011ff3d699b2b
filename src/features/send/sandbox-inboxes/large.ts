// Messages that are too large to be held in memory: what was read of them when they came, and their files.
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unpackValue } from '../../../platform/blobs/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { readBeside, streamKept } from '../../proof/_message/index.ts';
import { extractFile, type ReadLarge } from './computations.ts';
import { MESSAGE_BYTES_MAX } from './contract.ts';
import type { SandboxMessage } from './messages-store.ts';

type Kept = Pick<SandboxMessage, 'accountId' | 'digest' | 'sizeBytes'>;

export const isLarge = ({ sizeBytes }: Pick<Kept, 'sizeBytes'>): boolean => sizeBytes > MESSAGE_BYTES_MAX;

/** Why nothing but showing is done with a large message; undefined: it is none. */
export function tooLargeFor(what: string, { sizeBytes }: Pick<Kept, 'sizeBytes'>): AppError | undefined {
  if (sizeBytes <= MESSAGE_BYTES_MAX) return undefined;
  return new AppError(
    'too_large',
    `The message has ${sizeBytes} bytes; ${what} messages of up to ${MESSAGE_BYTES_MAX} bytes.`,
  );
}

/** What was read of it when it came. Throws `damaged`. */
export const readOfLarge = async (doors: Pick<Outside, 'blobs'>, message: Kept): Promise<ReadLarge> =>
  unpackValue(await readBeside(doors, message)) as ReadLarge;

/** One of its files, as it is read; undefined: there is none with this number. Throws `damaged`. */
export async function streamFile(
  doors: Pick<Outside, 'config' | 'blobs' | 'compute'>,
  message: Kept,
  number: number,
): Promise<{ name: string; sizeBytes: number; body: Readable } | undefined> {
  const { name } = (await readOfLarge(doors, message)).parts.attachments[number] ?? {};
  if (name === undefined) return undefined;
  const dir = join(doors.config.dataDir, 'incoming');
  await mkdir(dir, { recursive: true });
  const [path, to] = [0, 1].map(() => join(dir, `${randomUUID()}.incoming`)) as [string, string];
  try {
    await pipeline(await streamKept(doors, message), createWriteStream(path, { flags: 'wx' }));
    await doors.compute.run(extractFile, { path, number, to });
    const { size: sizeBytes } = await stat(to);
    const body = createReadStream(to);
    body.once('close', () => void rm(to, { force: true }));
    return { name, sizeBytes, body };
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}
