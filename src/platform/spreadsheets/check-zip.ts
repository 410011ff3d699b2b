// Looks at an archive before a reader is let at it: what it holds, and that it unpacks to what its directory says.
import { inflateRawSync } from 'node:zlib';
import { SpreadsheetError, UNPACKED_BYTES_MAX } from './problems.ts';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const END_LENGTH = 22;
const COMMENT_LENGTH_MAX = 0xffff;
/** A workbook has a dozen parts and one for each sheet, drawing and picture. */
const ENTRIES_MAX = 2_000;
const ENCRYPTED = 0x1;
const SIZES_FOLLOW = 0x8;

interface Entry {
  name: string;
  isDeflated: boolean;
  packedSize: number;
  size: number;
  /** Of the local header. */
  start: number;
  dataStart: number;
}

/**
 * The names of the entries of a zip archive (PKWARE APPNOTE 6.3) whose directory tells the truth. Every entry is
 * unpacked, at most to its stated size and all together to 64 MB. Refused are zip64, several disks, methods but stored
 * and deflated, encrypted entries and entries that share bytes. Throws SpreadsheetError.
 */
export function checkZip(bytes: Buffer): string[] {
  try {
    const entries = readDirectory(bytes);
    if (entries.reduce((sum, entry) => sum + entry.size, 0) > UNPACKED_BYTES_MAX)
      throw new SpreadsheetError('expands_too_far');
    refuseOverlaps(entries);
    for (const entry of entries) unpack(entry, bytes);
    return entries.map(({ name }) => name);
  } catch (error) {
    // Reading behind the end of the buffer is a RangeError.
    if (error instanceof RangeError) throw new SpreadsheetError('lying_archive', error);
    throw error;
  }
}

function readDirectory(bytes: Buffer): Entry[] {
  const end = findEnd(bytes);
  const disks = bytes.readUInt32LE(end + 4);
  const count = bytes.readUInt16LE(end + 10);
  const offset = bytes.readUInt32LE(end + 16);
  // 0xffff and 0xffffffff mean that zip64 records hold the real figures.
  if (disks !== 0 || count === 0xffff || offset === 0xffffffff || count > ENTRIES_MAX)
    throw new SpreadsheetError('lying_archive');
  const entries: Entry[] = [];
  let position = offset;
  for (let index = 0; index < count; index++) {
    const { entry, length } = readEntry(bytes, position);
    if (entry.dataStart + entry.packedSize > offset) throw new SpreadsheetError('lying_archive');
    entries.push(entry);
    position += length;
  }
  if (position > end) throw new SpreadsheetError('lying_archive');
  return entries;
}

function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_LENGTH - COMMENT_LENGTH_MAX);
  for (let position = bytes.length - END_LENGTH; position >= first; position--) {
    if (bytes.readUInt32LE(position) === END_OF_DIRECTORY) return position;
  }
  throw new SpreadsheetError('broken');
}

function readEntry(bytes: Buffer, position: number): { entry: Entry; length: number } {
  if (bytes.readUInt32LE(position) !== DIRECTORY_ENTRY) throw new SpreadsheetError('lying_archive');
  const flags = bytes.readUInt16LE(position + 8);
  const method = bytes.readUInt16LE(position + 10);
  const packedSize = bytes.readUInt32LE(position + 20);
  const size = bytes.readUInt32LE(position + 24);
  const nameLength = bytes.readUInt16LE(position + 28);
  const start = bytes.readUInt32LE(position + 42);
  if (flags & ENCRYPTED) throw new SpreadsheetError('password');
  if (method !== 0 && method !== 8) throw new SpreadsheetError('broken');
  if ([packedSize, size, start].includes(0xffffffff)) throw new SpreadsheetError('lying_archive');
  const name = bytes.subarray(position + 46, position + 46 + nameLength);
  const dataStart = checkLocalHeader(bytes, start, { name, packedSize, size });
  const length = 46 + nameLength + bytes.readUInt16LE(position + 30) + bytes.readUInt16LE(position + 32);
  return {
    entry: { name: name.toString('utf8'), isDeflated: method === 8, packedSize, size, start, dataStart },
    length,
  };
}

/** Readers differ in which of the two headers they believe, so both must say the same. */
function checkLocalHeader(
  bytes: Buffer,
  start: number,
  entry: { name: Buffer; packedSize: number; size: number },
): number {
  if (bytes.readUInt32LE(start) !== LOCAL_HEADER) throw new SpreadsheetError('lying_archive');
  const nameLength = bytes.readUInt16LE(start + 26);
  const name = bytes.subarray(start + 30, start + 30 + nameLength);
  const haveSizes = (bytes.readUInt16LE(start + 6) & SIZES_FOLLOW) === 0;
  const isSame = bytes.readUInt32LE(start + 18) === entry.packedSize && bytes.readUInt32LE(start + 22) === entry.size;
  if (!name.equals(entry.name) || (haveSizes && !isSame)) throw new SpreadsheetError('lying_archive');
  return start + 30 + nameLength + bytes.readUInt16LE(start + 28);
}

/** Entries that share their bytes make a small archive unpack to any size. */
function refuseOverlaps(entries: readonly Entry[]): void {
  let free = 0;
  for (const entry of [...entries].sort((a, b) => a.start - b.start)) {
    if (entry.start < free) throw new SpreadsheetError('lying_archive');
    free = entry.dataStart + entry.packedSize;
  }
}

function unpack(entry: Entry, bytes: Buffer): void {
  const packed = bytes.subarray(entry.dataStart, entry.dataStart + entry.packedSize);
  if (unpackedSize(entry, packed) !== entry.size) throw new SpreadsheetError('lying_archive');
}

function unpackedSize(entry: Entry, packed: Buffer): number {
  if (!entry.isDeflated) return packed.length;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) }).length;
  } catch (error) {
    throw new SpreadsheetError('lying_archive', error);
  }
}
