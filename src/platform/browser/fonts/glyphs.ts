// Outlines and widths as lists, and back (OpenType 1.9 "glyf", "loca", "hmtx", "maxp", "head", "hhea").
import type { Sfnt } from './sfnt.ts';

export interface Metric {
  advance: number;
  leftBearing: number;
}

const ARGS_ARE_WORDS = 0x0001;
const HAS_SCALE = 0x0008;
const MORE_COMPONENTS = 0x0020;
const HAS_XY_SCALE = 0x0040;
const HAS_TWO_BY_TWO = 0x0080;
const LONG_LOCA = 1;

/** A table that must be there. */
export function tableOf(font: Sfnt, tag: string): Buffer {
  const table = font.tables.get(tag);
  if (table === undefined) throw new RangeError(`The font has no "${tag}" table.`);
  return table;
}

/** The outline of every glyph; an empty buffer draws nothing. */
export function readGlyphs(font: Sfnt): Buffer[] {
  const [glyf, loca] = [tableOf(font, 'glyf'), tableOf(font, 'loca')];
  const isLong = tableOf(font, 'head').readInt16BE(50) === LONG_LOCA;
  const offsetOf = (index: number): number =>
    isLong ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2;
  const count = tableOf(font, 'maxp').readUInt16BE(4);
  return Array.from({ length: count }, (_, index) => glyf.subarray(offsetOf(index), offsetOf(index + 1)));
}

/** The horizontal metrics of every glyph. */
export function readMetrics(font: Sfnt): Metric[] {
  const hmtx = tableOf(font, 'hmtx');
  const full = tableOf(font, 'hhea').readUInt16BE(34);
  const count = tableOf(font, 'maxp').readUInt16BE(4);
  return Array.from({ length: count }, (_, index) => ({
    advance: hmtx.readUInt16BE(Math.min(index, full - 1) * 4),
    leftBearing: index < full ? hmtx.readInt16BE(index * 4 + 2) : hmtx.readInt16BE(full * 4 + (index - full) * 2),
  }));
}

/** Where each component of a composite glyph starts: its flags, followed by its glyph index. */
export function componentOffsets(glyph: Buffer): number[] {
  if (glyph.length < 10 || glyph.readInt16BE(0) >= 0) return [];
  const offsets: number[] = [];
  for (let offset = 10, flags = MORE_COMPONENTS; (flags & MORE_COMPONENTS) !== 0;) {
    offsets.push(offset);
    flags = glyph.readUInt16BE(offset);
    offset += 4 + ((flags & ARGS_ARE_WORDS) === 0 ? 2 : 4);
    if ((flags & HAS_SCALE) !== 0) offset += 2;
    else if ((flags & HAS_XY_SCALE) !== 0) offset += 4;
    else if ((flags & HAS_TWO_BY_TWO) !== 0) offset += 8;
  }
  return offsets;
}

/** The font with other glyphs, everything that counts or points at them rewritten. */
export function withGlyphs(font: Sfnt, glyphs: readonly Buffer[], metrics: readonly Metric[]): Sfnt {
  const loca = Buffer.alloc((glyphs.length + 1) * 4);
  const parts: Buffer[] = [];
  let offset = 0;
  for (const [index, glyph] of glyphs.entries()) {
    const padding = Buffer.alloc(-glyph.length & 3);
    parts.push(glyph, padding);
    offset += glyph.length + padding.length;
    loca.writeUInt32BE(offset, (index + 1) * 4);
  }
  const hmtx = Buffer.alloc(metrics.length * 4);
  for (const [index, { advance, leftBearing }] of metrics.entries()) {
    hmtx.writeUInt16BE(advance, index * 4);
    hmtx.writeInt16BE(leftBearing, index * 4 + 2);
  }
  const head = Buffer.from(tableOf(font, 'head'));
  head.writeInt16BE(LONG_LOCA, 50);
  const hhea = Buffer.from(tableOf(font, 'hhea'));
  hhea.writeUInt16BE(
    metrics.reduce((widest, { advance }) => Math.max(widest, advance), 0),
    10,
  );
  hhea.writeUInt16BE(metrics.length, 34);
  const maxp = Buffer.from(tableOf(font, 'maxp'));
  maxp.writeUInt16BE(glyphs.length, 4);
  const tables = new Map(font.tables);
  for (const [tag, data] of Object.entries({ glyf: Buffer.concat(parts), loca, hmtx, head, hhea, maxp }))
    tables.set(tag, data);
  return { flavor: font.flavor, tables };
}
