// Messages that are too large to be held in memory: what was read of them when they came, and their files.
import { unpackValue, type ByteStream } from '../../../platform/blobs/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { passingDir, passThrough } from '../../../platform/passing-files/index.ts';
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
): Promise<{ name: string; sizeBytes: number; body: ByteStream } | undefined> {
  const { name } = (await readOfLarge(doors, message)).parts.attachments[number] ?? {};
  if (name === undefined) return undefined;
  const kept = await streamKept(doors, message);
  const extract = (path: string, to: string): Promise<void> => doors.compute.run(extractFile, { path, number, to });
  return { name, ...(await passThrough(passingDir(doors.config), kept, extract)) };
}
