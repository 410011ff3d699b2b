// Where messages wait between the 250 and their handling. Many messages share one sync to disk, so that accepting them
// durably costs little more than reading them.
import { crc32 } from 'node:zlib';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

export interface Spooled {
  id: string;
  /** What the writer said about the message, such as its envelope. */
  about: unknown;
  raw: Buffer;
}

export interface Spool {
  /** Durable when it resolves. */
  append(raw: Buffer, about: object): Promise<string>;
  /** A message that waits; undefined when it is done. */
  read(id: string): Promise<Spooled | undefined>;
  /** Ids that wait, in order; after a restart, those of before. */
  waiting(): string[];
  /** The message is handled. One that was done just before a crash may wait again: handle twice what comes twice. */
  done(id: string): Promise<void>;
  close(): Promise<void>;
}

/** A record: magic, lengths of the header and the body, checksum of both; then they. */
const MAGIC = 0x4753504c;
const HEAD_BYTES = 16;
const SEGMENT_BYTES_MAX = 64 * 1024 * 1024;
const HEADER_BYTES_MAX = 1024 * 1024;
const BODY_BYTES_MAX = 512 * 1024 * 1024;

interface Segment {
  path: string;
  file: FileHandle;
  bytes: number;
  waiting: Map<string, { at: number; headerBytes: number; bodyBytes: number }>;
}

interface Entry {
  id: string;
  header: Buffer;
  raw: Buffer;
  resolve(id: string): void;
  reject(error: unknown): void;
}

/** Opens a directory that only this process uses. What waited there waits still; a record torn by a crash was never acknowledged. */
export async function openSpool(dir: string): Promise<Spool> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const segments = new Map<string, Segment>();
  for (const name of (await readdir(dir)).filter((entry) => entry.endsWith('.spool')).sort()) {
    const segment = await readSegment(join(dir, name));
    if (segment.waiting.size > 0) segments.set(segment.path, segment);
    else await drop(segment);
  }
  let current: Segment | undefined;
  let queue: Entry[] = [];
  let isWriting = false;
  let written: Promise<void> = Promise.resolve();

  async function segmentFor(bytes: number): Promise<Segment> {
    if (current && current.bytes + bytes <= SEGMENT_BYTES_MAX) return current;
    const left = current;
    const path = join(dir, `${String(Date.now()).padStart(15, '0')}-${randomUUID()}.spool`);
    current = { path, file: await open(path, 'w+', 0o600), bytes: 0, waiting: new Map() };
    await syncDirectory(dir);
    segments.set(path, current);
    if (left?.waiting.size === 0) await forget(left);
    return current;
  }

  async function forget(segment: Segment): Promise<void> {
    segments.delete(segment.path);
    await drop(segment);
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        await writeBatch(batch);
        for (const entry of batch) entry.resolve(entry.id);
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
    }
    // In the same step as the look at the queue, so that nobody is left behind.
    isWriting = false;
  }

  async function writeBatch(batch: readonly Entry[]): Promise<void> {
    const segment = await segmentFor(batch.reduce((sum, entry) => sum + HEAD_BYTES + entry.header.length + entry.raw.length, 0));
    const pieces = batch.flatMap(({ header, raw }) => [headOf(header, raw), header, raw]);
    let at = segment.bytes;
    await segment.file.writev(pieces, at);
    await segment.file.datasync();
    for (const { id, header, raw } of batch) {
      segment.waiting.set(id, { at, headerBytes: header.length, bodyBytes: raw.length });
      at += HEAD_BYTES + header.length + raw.length;
    }
    segment.bytes = at;
  }

  const holding = (id: string): Segment | undefined => [...segments.values()].find(({ waiting }) => waiting.has(id));

  return {
    append(raw, about) {
      const id = randomUUID();
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      queue.push({ id, header: Buffer.from(JSON.stringify({ id, about })), raw, resolve, reject });
      if (!isWriting) written = writeAll();
      return promise;
    },
    async read(id) {
      const segment = holding(id);
      const place = segment?.waiting.get(id);
      if (!segment || !place) return undefined;
      const bytes = Buffer.alloc(place.headerBytes + place.bodyBytes);
      await segment.file.read(bytes, 0, bytes.length, place.at + HEAD_BYTES);
      const { about } = JSON.parse(bytes.toString('utf8', 0, place.headerBytes)) as { about: unknown };
      return { id, about, raw: bytes.subarray(place.headerBytes) };
    },
    waiting: () => [...segments.values()].flatMap((segment) => [...segment.waiting.keys()]),
    async done(id) {
      const segment = holding(id);
      const place = segment?.waiting.get(id);
      if (!segment || !place) return;
      segment.waiting.delete(id);
      // The magic is struck out, not synced: what a power cut brings back is handled twice, as the contract says.
      await segment.file.write(Buffer.alloc(4), 0, 4, place.at);
      if (segment.waiting.size === 0 && segment !== current) await forget(segment);
    },
    async close() {
      await written;
      for (const segment of segments.values()) await (segment.waiting.size === 0 ? drop(segment) : segment.file.close());
    },
  };
}

function headOf(header: Buffer, raw: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(MAGIC, 0);
  head.writeUInt32BE(header.length, 4);
  head.writeUInt32BE(raw.length, 8);
  head.writeUInt32BE(crc32(raw, crc32(header)), 12);
  return head;
}

/** Reads what a segment holds up to the first record that is not whole. */
async function readSegment(path: string): Promise<Segment> {
  const file = await open(path, 'r+');
  const waiting: Segment['waiting'] = new Map();
  const { size } = await file.stat();
  const head = Buffer.alloc(HEAD_BYTES);
  let at = 0;
  while (at + HEAD_BYTES <= size) {
    await file.read(head, 0, HEAD_BYTES, at);
    const [magic, headerBytes, bodyBytes, checksum] = [0, 4, 8, 12].map((place) => head.readUInt32BE(place)) as [number, number, number, number];
    const end = at + HEAD_BYTES + headerBytes + bodyBytes;
    if ((magic !== MAGIC && magic !== 0) || headerBytes === 0 || headerBytes > HEADER_BYTES_MAX || bodyBytes > BODY_BYTES_MAX || end > size) break;
    const bytes = Buffer.alloc(headerBytes + bodyBytes);
    await file.read(bytes, 0, bytes.length, at + HEAD_BYTES);
    if (crc32(bytes) !== checksum) break;
    if (magic === MAGIC) waiting.set((JSON.parse(bytes.toString('utf8', 0, headerBytes)) as { id: string }).id, { at, headerBytes, bodyBytes });
    at = end;
  }
  return { path, file, bytes: at, waiting };
}

async function drop({ file, path }: Segment): Promise<void> {
  await file.close();
  await rm(path, { force: true });
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
