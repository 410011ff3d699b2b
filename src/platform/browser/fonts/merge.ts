// Joins the script subsets of one face into one file. As separate files, fontconfig takes a letter that the Latin file
// lacks from any family that has it, so Cyrillic in Arial would be shown in another design.
import { readCmap, writeCmap } from './cmap.ts';
import { componentOffsets, readGlyphs, readMetrics, tableOf, withGlyphs, type Metric } from './glyphs.ts';
import type { Sfnt } from './sfnt.ts';

/** Tables that describe glyphs of the first file by number or name, wrong or needless once others follow. */
const DROPPED = [
  'cvt ',
  'fpgm',
  'prep',
  'DSIG',
  'FFTM',
  'SVG ',
  'HVAR',
  'MVAR',
  'STAT',
  'avar',
  'fvar',
  'gvar',
  'vhea',
  'vmtx',
  'VORG',
];
const GLYPHS_MAX = 65_535;

interface Growing {
  glyphs: Buffer[];
  metrics: Metric[];
  codes: Map<number, number>;
}

/** Copies one glyph and what it is composed of; answers its new number. */
function copyGlyph(
  target: Growing,
  source: { glyphs: Buffer[]; metrics: Metric[]; copied: Map<number, number> },
  glyph: number,
): number {
  const known = source.copied.get(glyph);
  if (known !== undefined) return known;
  const copy = Buffer.from(source.glyphs[glyph] ?? Buffer.alloc(0));
  const number = target.glyphs.length;
  if (number >= GLYPHS_MAX) throw new RangeError('The merged font has too many glyphs.');
  source.copied.set(glyph, number); // before its components, so that a circle ends
  target.glyphs.push(copy);
  target.metrics.push(source.metrics[glyph] ?? { advance: 0, leftBearing: 0 });
  for (const offset of componentOffsets(copy)) {
    copy.writeUInt16BE(copyGlyph(target, source, copy.readUInt16BE(offset + 2)), offset + 2);
  }
  return number;
}

/** `maxp` holds upper bounds of what any glyph needs. */
function mergedMaxp(fonts: readonly Sfnt[]): Buffer {
  const merged = Buffer.from(tableOf(fonts[0]!, 'maxp'));
  for (const font of fonts) {
    const maxp = tableOf(font, 'maxp');
    for (let offset = 6; offset + 2 <= Math.min(maxp.length, merged.length); offset += 2) {
      merged.writeUInt16BE(Math.max(merged.readUInt16BE(offset), maxp.readUInt16BE(offset)), offset);
    }
  }
  return merged;
}

/**
 * One font with every character of `fonts`. Where several have a character the earlier one wins; the first also gives
 * names, line metrics and layout rules (its glyph numbers stay). All must share their units per em.
 */
export function mergeFonts(fonts: readonly Sfnt[]): Sfnt {
  const [first, ...others] = fonts;
  if (first === undefined) throw new RangeError('There is no font to merge.');
  const unitsPerEm = tableOf(first, 'head').readUInt16BE(18);
  const target: Growing = {
    glyphs: readGlyphs(first),
    metrics: readMetrics(first),
    codes: readCmap(tableOf(first, 'cmap')),
  };
  for (const font of others) {
    if (tableOf(font, 'head').readUInt16BE(18) !== unitsPerEm)
      throw new RangeError('Fonts of different scales do not merge.');
    const source = { glyphs: readGlyphs(font), metrics: readMetrics(font), copied: new Map<number, number>() };
    for (const [code, glyph] of [...readCmap(tableOf(font, 'cmap'))].sort(([a], [b]) => a - b)) {
      if (!target.codes.has(code)) target.codes.set(code, copyGlyph(target, source, glyph));
    }
  }
  const tables = new Map(first.tables);
  for (const tag of DROPPED) tables.delete(tag);
  const post = Buffer.from(tableOf(first, 'post').subarray(0, 32));
  post.writeUInt32BE(0x00030000, 0); // no glyph names
  tables.set('post', post);
  tables.set('maxp', mergedMaxp(fonts));
  tables.set('cmap', writeCmap(target.codes));
  return withGlyphs({ flavor: first.flavor, tables }, target.glyphs, target.metrics);
}
