// The bytes of a message, kept once for all that is made from it: a preview, its checks, a gate.
import { createHash } from 'node:crypto';
import type { ByteStream } from '../../../platform/blobs/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import * as store from './store.ts';
import type { MessageKey } from './store.ts';

export { confirmUses, listHolders } from './store.ts';

type Doors = Pick<Outside, 'db' | 'blobs'>;

function prefixOf({ accountId, digest }: MessageKey): string {
  return `messages/${accountId}/${digest}`;
}

const keyOf = (message: MessageKey): string => `${prefixOf(message)}/bytes`;

/** Of shorter ones the digest is had at once; they may lie in memory that others share. */
const REMEMBERED_BYTES_MIN = 64 * 1024;

interface Digested {
  byteOffset: number;
  length: number;
  digest: string;
}

/** Checks of one request keep the same bytes one after the other; nobody writes to them. */
const digested = new WeakMap<ArrayBufferLike, Digested>();

/** SHA-256 of a message in hex. Of the same bytes in the same place it is computed once. */
export function digestOf(bytes: Buffer): string {
  const { byteOffset, length } = bytes;
  if (length < REMEMBERED_BYTES_MIN) return createHash('sha256').update(bytes).digest('hex');
  const known = digested.get(bytes.buffer);
  if (known?.byteOffset === byteOffset && known.length === length) return known.digest;
  const digest = createHash('sha256').update(bytes).digest('hex');
  digested.set(bytes.buffer, { byteOffset, length, digest });
  return digest;
}

/**
 * Stores the bytes unless the account has them, and answers their digest. `holder` is where the objects of what refers
 * to them lie; that has an hour to be there, which `confirmUses` says in its transaction.
 */
export async function keepMessage(
  { db, blobs, clock }: Doors & Pick<Outside, 'clock'>,
  { accountId, holder, bytes }: { accountId: string; holder: string; bytes: Buffer },
): Promise<string> {
  const message = { accountId, digest: digestOf(bytes) };
  const isStored = await db.tx((tx) => store.reserve(tx, message, { holder, at: clock.now() }));
  if (!isStored) {
    await blobs.put(keyOf(message), bytes, 'application/octet-stream');
    await store.markStored(db, message);
  }
  return message.digest;
}

/** A message in a file: too large to be held in memory. */
export interface MessageFile {
  path: string;
  /** SHA-256 in hex. */
  digest: string;
  sizeBytes: number;
}

const besideOf = (message: MessageKey): string => `${prefixOf(message)}/read`;

/**
 * As {@link keepMessage}, for a message in a file. `read` is kept beside it, and goes with it: what was read of it, so
 * that nobody has to read the whole again.
 */
export async function keepMessageFile(
  { db, blobs, clock }: Doors & Pick<Outside, 'clock'>,
  { accountId, holder, file, read }: { accountId: string; holder: string; file: MessageFile; read: Buffer },
): Promise<string> {
  const message = { accountId, digest: file.digest };
  const isStored = await db.tx((tx) => store.reserve(tx, message, { holder, at: clock.now() }));
  if (!isStored) {
    await blobs.putFile(keyOf(message), file.path, 'application/octet-stream');
    await blobs.put(besideOf(message), read, 'application/octet-stream');
    await store.markStored(db, message);
  }
  return message.digest;
}

const gone = ({ digest }: MessageKey): AppError => new AppError('damaged', `The stored message ${digest} is missing.`);

/** What was kept beside a message that came in a file. Throws `damaged` when it is gone. */
export async function readBeside({ blobs }: Pick<Outside, 'blobs'>, message: MessageKey): Promise<Buffer> {
  const bytes = await blobs.get(besideOf(message));
  if (!bytes) throw gone(message);
  return bytes;
}

/** The bytes as they are read. Throws `damaged` when they are gone. */
export async function streamKept({ blobs }: Pick<Outside, 'blobs'>, message: MessageKey): Promise<ByteStream> {
  const stored = await blobs.stream(keyOf(message));
  if (!stored) throw gone(message);
  return stored.body;
}

/** Throws `damaged` when the bytes are gone. */
export async function readKept({ blobs }: Pick<Outside, 'blobs'>, message: MessageKey): Promise<Buffer> {
  const bytes = await blobs.get(keyOf(message));
  if (!bytes) throw gone(message);
  return bytes;
}

/** Ends the uses of a holder, and deletes messages that nothing else refers to. Safe to run twice. */
export async function releaseMessages(doors: Doors, holder: string): Promise<void> {
  for (const message of await store.releaseOfAnyone(doors.db, holder)) await deleteUnused(doors, message);
}

/**
 * In two steps, so that a crash leaves a message that is stored anew when it is wanted, and never one that is thought
 * to be there and is not.
 */
async function deleteUnused({ db, blobs }: Doors, message: MessageKey): Promise<void> {
  const isUnused = await db.tx(async (tx) => {
    if (!(await store.lockUnused(tx, message))) return false;
    await store.markUnstored(tx, message);
    return true;
  });
  if (!isUnused) return;
  await db.tx(async (tx) => {
    if (!(await store.lockUnused(tx, message))) return;
    // A request that needs the message waits for the lock, and stores it anew after this.
    await blobs.deleteAll(prefixOf(message));
    await store.deleteMessage(tx, message);
  });
}

/** What refers to a message is there long before. */
const RESERVED_MS = 3_600_000;
const AT_ONCE = 500;

/** Deletes what a process left that died between storing a message and what refers to it, or between both deletions. */
export async function sweepMessages(outside: Doors & Pick<Outside, 'clock'>): Promise<void> {
  const { db, clock } = outside;
  await store.deleteReservations(db, new Date(clock.now().getTime() - RESERVED_MS));
  for (const message of await store.listUnused(db, AT_ONCE)) await deleteUnused(outside, message);
}
