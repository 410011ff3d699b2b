// The files of a spool. A file that holds nothing that waits is written again from its start: its blocks and pages are
// there already, so that writing and syncing cost a tenth of what growing a new file does.
import { crc32 } from 'node:zlib';
import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const SEGMENT_BYTES_MAX = 16 * 1024 * 1024;
/** Files kept to be written again. */
const SPARES_MAX = 2;
const HEADER_BYTES_MAX = 1024 * 1024;
const BODY_BYTES_MAX = 512 * 1024 * 1024;
/** A record: magic, number of its segment, lengths of the header and the body, checksum of both; then they. */
const MAGIC = 0x4753504d;
export const HEAD_BYTES = 20;

/** Where a record lies in its segment. */
interface Place {
  at: number;
  headerBytes: number;
  bodyBytes: number;
}

export interface Segment {
  /** Grows by one with each segment. It distinguishes a file's records from older ones that it still holds. */
  number: number;
  path: string;
  file: FileHandle;
  bytes: number;
  waiting: Map<string, Place>;
  /** Messages that marks in this segment say are done; they may lie in an earlier one. */
  marks: string[];
}

export interface Segments {
  holding(id: string): Segment | undefined;
  /** The segment to write this many bytes to. */
  forBytes(bytes: number): Promise<Segment>;
  /** Ends a segment that could not be written to: nothing is known of what lies behind its good records. */
  abandon(segment: Segment): Promise<void>;
  /** Sets the oldest segments free while nothing waits in them; a later one may hold marks for an earlier one. */
  tidy(): Promise<void>;
  all(): Segment[];
  close(): Promise<void>;
}

/** The header of a record: a message's id and its notes, or the id of a message that is done. */
export type RecordHeader = { id: string; about: unknown } | { done: string };

/** Opens what a directory holds, or makes it. */
export async function openSegments(dir: string): Promise<Segments> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const segments = await readSegments(dir);
  const spares: Segment[] = [];
  let number = Math.max(0, ...segments.map((segment) => segment.number));
  let current: Segment | undefined;
  const retire = async (segment: Segment): Promise<void> => {
    segments.splice(segments.indexOf(segment), 1);
    if (spares.length >= SPARES_MAX || segment.bytes < SEGMENT_BYTES_MAX / 2 || segment.bytes > SEGMENT_BYTES_MAX)
      return drop(segment);
    // Under this name it is not read at the next start.
    await moveTo(segment, join(dir, `${segment.number}.spare`));
    spares.push(segment);
  };
  const tidy = async (): Promise<void> => {
    for (let first = segments[0]; first && first.waiting.size === 0 && first !== current; first = segments[0])
      await retire(first);
  };
  await tidy();
  return {
    holding: (id) => segments.find(({ waiting }) => waiting.has(id)),
    async forBytes(bytes) {
      if (current && current.bytes + bytes <= SEGMENT_BYTES_MAX) return current;
      current = undefined;
      number += 1;
      const next = await openNext(dir, { number, spare: spares.pop() });
      segments.push(next);
      current = next;
      await tidy();
      return next;
    },
    async abandon(segment) {
      if (segment === current) current = undefined;
      await segment.file.truncate(segment.bytes).catch(() => undefined);
    },
    tidy,
    all: () => [...segments],
    async close() {
      const isEmpty = segments.every(({ waiting }) => waiting.size === 0);
      for (const segment of segments) await (isEmpty ? drop(segment) : segment.file.close());
      for (const spare of spares) await drop(spare);
    },
  };
}

async function openNext(
  dir: string,
  { number, spare }: { number: number; spare: Segment | undefined },
): Promise<Segment> {
  const path = join(dir, `${String(number).padStart(12, '0')}.spool`);
  const next: Segment = { number, path, file: spare?.file as FileHandle, bytes: 0, waiting: new Map(), marks: [] };
  if (spare) {
    await rename(spare.path, path);
  } else {
    // Again, since an operator may have removed it.
    await mkdir(dir, { recursive: true, mode: 0o700 });
    next.file = await open(path, 'w+', 0o600);
  }
  await syncDirectory(dir);
  return next;
}

async function moveTo(segment: Segment, path: string): Promise<void> {
  await rename(segment.path, path);
  segment.path = path;
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

/** The first bytes of a record. */
export function headOf(segment: Segment, header: Buffer, raw: Buffer): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt32BE(MAGIC, 0);
  head.writeUInt32BE(segment.number, 4);
  head.writeUInt32BE(header.length, 8);
  head.writeUInt32BE(raw.length, 12);
  head.writeUInt32BE(crc32(raw, crc32(header)), 16);
  return head;
}

async function readSegments(dir: string): Promise<Segment[]> {
  const names = await readdir(dir);
  for (const name of names.filter((entry) => entry.endsWith('.spare'))) await rm(join(dir, name), { force: true });
  const segments: Segment[] = [];
  for (const name of names.filter((entry) => /^\d+\.spool$/.test(entry)).sort())
    segments.push(await readSegment(join(dir, name), Number.parseInt(name, 10)));
  const marks = segments.flatMap((segment) => segment.marks);
  for (const id of marks) for (const { waiting } of segments) waiting.delete(id);
  return segments;
}

/** Reads what a segment holds up to the first record that is not whole, or not of this segment. */
async function readSegment(path: string, number: number): Promise<Segment> {
  const file = await open(path, 'r+');
  const segment: Segment = { number, path, file, bytes: 0, waiting: new Map(), marks: [] };
  const { size } = await file.stat();
  const head = Buffer.alloc(HEAD_BYTES);
  while (segment.bytes + HEAD_BYTES <= size) {
    const at = segment.bytes;
    await file.read(head, 0, HEAD_BYTES, at);
    const [magic, owner, headerBytes, bodyBytes, checksum] = [0, 4, 8, 12, 16].map((place) =>
      head.readUInt32BE(place),
    ) as [number, number, number, number, number];
    const end = at + HEAD_BYTES + headerBytes + bodyBytes;
    if (
      magic !== MAGIC ||
      owner !== number ||
      headerBytes === 0 ||
      headerBytes > HEADER_BYTES_MAX ||
      bodyBytes > BODY_BYTES_MAX ||
      end > size
    )
      break;
    const bytes = Buffer.alloc(headerBytes + bodyBytes);
    await file.read(bytes, 0, bytes.length, at + HEAD_BYTES);
    if (crc32(bytes) !== checksum) break;
    const header = JSON.parse(bytes.toString('utf8', 0, headerBytes)) as RecordHeader;
    if ('id' in header) segment.waiting.set(header.id, { at, headerBytes, bodyBytes });
    else segment.marks.push(header.done);
    segment.bytes = end;
  }
  return segment;
}
