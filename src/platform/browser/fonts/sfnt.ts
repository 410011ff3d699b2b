// The table directory that TrueType and WOFF share (OpenType 1.9 "Organization of an OpenType font", WOFF 1.0 W3C).
import { inflateSync } from 'node:zlib';

export interface Sfnt {
  flavor: number;
  tables: Map<string, Buffer>;
}

const WOFF_SIGNATURE = 0x774f4646;
const TABLES_MAX = 64;
const TABLE_BYTES_MAX = 64 * 1024 * 1024;

function checkRange(bytes: Buffer, offset: number, length: number): void {
  if (offset + length > bytes.length) throw new RangeError('The font is cut short.');
}

/** Reads a WOFF 1.0 file. Throws `TypeError` or `RangeError` when it is none or is broken. */
export function readWoff(bytes: Buffer): Sfnt {
  checkRange(bytes, 0, 44);
  if (bytes.readUInt32BE(0) !== WOFF_SIGNATURE) throw new TypeError('Not a WOFF font.');
  const count = bytes.readUInt16BE(12);
  if (count > TABLES_MAX) throw new RangeError('The font has too many tables.');
  checkRange(bytes, 44, count * 20);
  const tables = new Map<string, Buffer>();
  for (let index = 0; index < count; index += 1) {
    const entry = 44 + index * 20;
    const offset = bytes.readUInt32BE(entry + 4);
    const compressed = bytes.readUInt32BE(entry + 8);
    const length = bytes.readUInt32BE(entry + 12);
    if (length > TABLE_BYTES_MAX) throw new RangeError('A font table is too large.');
    checkRange(bytes, offset, compressed);
    const data = bytes.subarray(offset, offset + compressed);
    tables.set(
      bytes.toString('latin1', entry, entry + 4),
      compressed < length ? inflateSync(data, { maxOutputLength: length }) : data,
    );
  }
  return { flavor: bytes.readUInt32BE(4), tables };
}

/** Reads a TrueType or OpenType file (not a collection). */
export function readSfnt(bytes: Buffer): Sfnt {
  checkRange(bytes, 0, 12);
  const count = bytes.readUInt16BE(4);
  if (count > TABLES_MAX) throw new RangeError('The font has too many tables.');
  checkRange(bytes, 12, count * 16);
  const tables = new Map<string, Buffer>();
  for (let index = 0; index < count; index += 1) {
    const entry = 12 + index * 16;
    const offset = bytes.readUInt32BE(entry + 8);
    const length = bytes.readUInt32BE(entry + 12);
    checkRange(bytes, offset, length);
    tables.set(bytes.toString('latin1', entry, entry + 4), bytes.subarray(offset, offset + length));
  }
  return { flavor: bytes.readUInt32BE(0), tables };
}

function checksum(table: Buffer): number {
  let sum = 0;
  const whole = table.length & ~3;
  for (let offset = 0; offset < whole; offset += 4) sum = (sum + table.readUInt32BE(offset)) >>> 0;
  if (whole === table.length) return sum;
  const rest = Buffer.alloc(4);
  table.copy(rest, 0, whole);
  return (sum + rest.readUInt32BE(0)) >>> 0;
}

/** Writes a TrueType or OpenType file, tables sorted and padded as the format asks. */
export function writeSfnt(font: Sfnt): Buffer {
  const tables = [...font.tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const log = Math.floor(Math.log2(tables.length));
  const header = Buffer.alloc(12 + tables.length * 16);
  header.writeUInt32BE(font.flavor, 0);
  header.writeUInt16BE(tables.length, 4);
  header.writeUInt16BE(2 ** log * 16, 6);
  header.writeUInt16BE(log, 8);
  header.writeUInt16BE(tables.length * 16 - 2 ** log * 16, 10);
  const parts: Buffer[] = [header];
  let offset = header.length;
  for (const [index, [tag, data]] of tables.entries()) {
    const entry = 12 + index * 16;
    header.write(tag, entry, 'latin1');
    header.writeUInt32BE(checksum(data), entry + 4);
    header.writeUInt32BE(offset, entry + 8);
    header.writeUInt32BE(data.length, entry + 12);
    const padding = Buffer.alloc(-data.length & 3);
    parts.push(data, padding);
    offset += data.length + padding.length;
  }
  return Buffer.concat(parts);
}
