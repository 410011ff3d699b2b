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
  /** Messages that marks in this segment say are done; they may lie in an earlier one. */
  marks: string[];
}

interface Entry {
  id: string;
  header: Buffer;
  raw: Buffer;
  /** Says that a message is done, instead of holding one. */
  isMark: boolean;
}

/** Gathers what arrives while a write is under way into the next write. */
function groupWrites(write: (batch: readonly Entry[]) => Promise<void>): { add(entry: Entry): Promise<void>; settled(): Promise<void> } {
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
    // In the same step as the look at the queue, so that nobody is left behind.
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

interface Segments {
  holding(id: string): Segment | undefined;
  /** The one to write so many bytes to. */
  forBytes(bytes: number): Promise<Segment>;
  /** Removes the oldest segments while nothing waits in them; a later one may hold marks for an earlier one. */
  tidy(): Promise<void>;
  all(): Segment[];
}

async function openSegments(dir: string): Promise<Segments> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const segments = new Map<string, Segment>();
  let current: Segment | undefined;
  const tidy = async (): Promise<void> => {
    for (const segment of segments.values()) {
      if (segment.waiting.size > 0 || segment === current) return;
      segments.delete(segment.path);
      await drop(segment);
    }
  };
  for (const name of (await readdir(dir)).filter((entry) => entry.endsWith('.spool')).sort()) {
    const segment = await readSegment(join(dir, name));
    segments.set(segment.path, segment);
  }
  const marks = [...segments.values()].flatMap((segment) => segment.marks);
  for (const id of marks) for (const { waiting } of segments.values()) waiting.delete(id);
  await tidy();
  return {
    holding: (id) => [...segments.values()].find(({ waiting }) => waiting.has(id)),
    async forBytes(bytes) {
      if (current && current.bytes + bytes <= SEGMENT_BYTES_MAX) return current;
      const path = join(dir, `${String(Date.now()).padStart(15, '0')}-${randomUUID()}.spool`);
      current = { path, file: await open(path, 'w+', 0o600), bytes: 0, waiting: new Map(), marks: [] };
      await syncDirectory(dir);
      segments.set(path, current);
      await tidy();
      return current;
    },
    tidy,
    all: () => [...segments.values()],
  };
}

async function writeBatch(batch: readonly Entry[], segments: Segments): Promise<void> {
  const segment = await segments.forBytes(batch.reduce((sum, entry) => sum + HEAD_BYTES + entry.header.length + entry.raw.length, 0));
  let at = segment.bytes;
  await segment.file.writev(batch.flatMap(({ header, raw }) => [headOf(header, raw), header, raw]), at);
  // Marks alone need no sync: what a power cut brings back is handled twice, as the contract says.
  if (batch.some(({ isMark }) => !isMark)) await segment.file.datasync();
  for (const { id, header, raw, isMark } of batch) {
    if (!isMark) segment.waiting.set(id, { at, headerBytes: header.length, bodyBytes: raw.length });
    at += HEAD_BYTES + header.length + raw.length;
  }
  segment.bytes = at;
}

/** Opens a directory that only this process uses. What waited there waits still; a record torn by a crash was never acknowledged. */
export async function openSpool(dir: string): Promise<Spool> {
  const segments = await openSegments(dir);
  const writes = groupWrites((batch) => writeBatch(batch, segments));
  return {
    async append(raw, about) {
      const id = randomUUID();
      await writes.add({ id, header: Buffer.from(JSON.stringify({ id, about })), raw, isMark: false });
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
      if (!segments.holding(id)?.waiting.delete(id)) return;
      await writes.add({ id, header: Buffer.from(JSON.stringify({ done: id })), raw: Buffer.alloc(0), isMark: true });
      await segments.tidy();
    },
    async close() {
      await writes.settled();
      const isEmpty = segments.all().every(({ waiting }) => waiting.size === 0);
      for (const segment of segments.all()) await (isEmpty ? drop(segment) : segment.file.close());
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
  const segment: Segment = { path, file, bytes: 0, waiting: new Map(), marks: [] };
  const { size } = await file.stat();
  const head = Buffer.alloc(HEAD_BYTES);
  while (segment.bytes + HEAD_BYTES <= size) {
    const at = segment.bytes;
    await file.read(head, 0, HEAD_BYTES, at);
    const [magic, headerBytes, bodyBytes, checksum] = [0, 4, 8, 12].map((place) => head.readUInt32BE(place)) as [number, number, number, number];
    const end = at + HEAD_BYTES + headerBytes + bodyBytes;
    if (magic !== MAGIC || headerBytes === 0 || headerBytes > HEADER_BYTES_MAX || bodyBytes > BODY_BYTES_MAX || end > size) break;
    const bytes = Buffer.alloc(headerBytes + bodyBytes);
    await file.read(bytes, 0, bytes.length, at + HEAD_BYTES);
    if (crc32(bytes) !== checksum) break;
    const { id, done } = JSON.parse(bytes.toString('utf8', 0, headerBytes)) as { id?: string; done?: string };
    if (id !== undefined) segment.waiting.set(id, { at, headerBytes, bodyBytes });
    else if (done !== undefined) segment.marks.push(done);
    segment.bytes = end;
  }
  return segment;
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
