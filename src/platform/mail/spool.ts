// Where messages wait between the 250 and their handling. Many messages share one write and one sync to disk, so that
// accepting them durably costs little more than reading them. What was synced survives a crash and a power cut.
import { randomUUID } from 'node:crypto';
import { HEAD_BYTES, headOf, openSegments, type RecordHeader, type Segment, type Segments } from './spool-segments.ts';

export interface Spooled {
  id: string;
  /** What the writer said about the message, such as its envelope. */
  about: unknown;
  raw: Buffer;
}

export interface Spool {
  /**
   * Resolves with the message's id when the message is on disk, synced. Rejects when it could not be written: then it
   * is not kept, unless the process dies at this very moment.
   */
  append(raw: Buffer, about: object): Promise<string>;
  /** A message that waits; undefined when it is done. */
  read(id: string): Promise<Spooled | undefined>;
  /** Ids of waiting messages, in order; after a restart, those from before it. */
  waiting(): string[];
  /** Marks a message as done. One marked just before a crash may come again, so handling must be safe to repeat. */
  done(id: string): Promise<void>;
  /** Waits for writes under way. Leaves nothing on disk when nothing waits. */
  close(): Promise<void>;
}

interface Entry {
  id: string;
  header: Buffer;
  raw: Buffer;
  /** Says that a message is done, instead of holding one. */
  isMark: boolean;
}

const NOTHING = Buffer.alloc(0);

/** Gathers what arrives while a write is under way into the next write. */
function groupWrites(write: (batch: readonly Entry[]) => Promise<void>): {
  add(entry: Entry): Promise<void>;
  settled(): Promise<void>;
} {
  let queue: { entry: Entry; resolve(): void; reject(error: unknown): void }[] = [];
  let isWriting = false;
  let written: Promise<void> = Promise.resolve();
  async function writeAll(): Promise<void> {
    isWriting = true;
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        await write(batch.map(({ entry }) => entry));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    // This happens in the same step as the check of the queue, so that no caller is missed.
    isWriting = false;
  }
  return {
    add(entry) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      queue.push({ entry, resolve, reject });
      if (!isWriting) written = writeAll();
      return promise;
    },
    settled: () => written,
  };
}

async function writeBatch(batch: readonly Entry[], segments: Segments): Promise<void> {
  const segment = await segments.forBytes(
    batch.reduce((sum, entry) => sum + HEAD_BYTES + entry.header.length + entry.raw.length, 0),
  );
  try {
    await writeWhole(
      segment,
      batch.flatMap(({ header, raw }) => [headOf(segment, header, raw), header, raw]),
    );
    // Marks alone need no sync: what a power cut brings back is handled twice, as the contract says.
    if (batch.some(({ isMark }) => !isMark)) await segment.file.datasync();
  } catch (error) {
    await segments.abandon(segment);
    throw error;
  }
  for (const { id, header, raw, isMark } of batch) {
    if (!isMark) segment.waiting.set(id, { at: segment.bytes, headerBytes: header.length, bodyBytes: raw.length });
    segment.bytes += HEAD_BYTES + header.length + raw.length;
  }
  await segments.tidy();
}

/** A disk that is nearly full takes a part and says so only the next time. */
async function writeWhole({ file, bytes: at }: Segment, buffers: Buffer[]): Promise<void> {
  const bytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  let { bytesWritten } = await file.writev(buffers, at);
  while (bytesWritten < bytes)
    bytesWritten += (await file.write(Buffer.concat(buffers), bytesWritten, bytes - bytesWritten, at + bytesWritten))
      .bytesWritten;
}

const encode = (header: RecordHeader): Buffer => Buffer.from(JSON.stringify(header));

/**
 * Opens a directory that only this process uses. What waited there waits still; a record torn by a crash was never
 * acknowledged.
 */
export async function openSpool(dir: string): Promise<Spool> {
  const segments = await openSegments(dir);
  const writes = groupWrites((batch) => writeBatch(batch, segments));
  return {
    async append(raw, about) {
      const id = randomUUID();
      await writes.add({ id, header: encode({ id, about }), raw, isMark: false });
      return id;
    },
    async read(id) {
      const segment = segments.holding(id);
      const place = segment?.waiting.get(id);
      if (!segment || !place) return undefined;
      const bytes = Buffer.alloc(place.headerBytes + place.bodyBytes);
      await segment.file.read(bytes, 0, bytes.length, place.at + HEAD_BYTES);
      const { about } = JSON.parse(bytes.toString('utf8', 0, place.headerBytes)) as { about: unknown };
      return { id, about, raw: bytes.subarray(place.headerBytes) };
    },
    waiting: () => segments.all().flatMap((segment) => [...segment.waiting.keys()]),
    async done(id) {
      const segment = segments.holding(id);
      if (!segment) return;
      segment.waiting.delete(id);
      await writes.add({ id, header: encode({ done: id }), raw: NOTHING, isMark: true });
    },
    async close() {
      await writes.settled();
      await segments.close();
    },
  };
}
