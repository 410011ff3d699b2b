// A static face cut from a variable font with one axis (OpenType 1.9 "fvar", "avar", "gvar").
// Static, because a variable file shows up in fontconfig once per named weight and slice: thousands of entries that
// every fallback for a Chinese character would search.
import { componentOffsets, readGlyphs, readMetrics, tableOf, withGlyphs, type Metric } from './glyphs.ts';
import { readOutline, writeOutline, type Point } from './outline.ts';
import { glyphDeltas, type Delta } from './gvar.ts';
import type { Sfnt } from './sfnt.ts';

const F2DOT14 = 16_384;

/** Where `value` lies on the font's axis, from -1 to 1, as `gvar` counts. */
function normalizedCoordinate(font: Sfnt, value: number): number {
  const fvar = tableOf(font, 'fvar');
  if (fvar.readUInt16BE(8) !== 1) throw new RangeError('Only fonts with one axis can be cut.');
  const axis = fvar.readUInt16BE(4);
  const [min, standard, max] = [4, 8, 12].map((offset) => fvar.readInt32BE(axis + offset) / 65_536) as [
    number,
    number,
    number,
  ];
  const clamped = Math.min(max, Math.max(min, value));
  if (clamped === standard) return 0;
  const linear = clamped < standard ? (clamped - standard) / (standard - min) : (clamped - standard) / (max - standard);
  return mapByAvar(font.tables.get('avar'), linear);
}

function mapByAvar(avar: Buffer | undefined, linear: number): number {
  if (avar === undefined) return linear;
  const points = Array.from({ length: avar.readUInt16BE(8) }, (_, index) => ({
    from: avar.readInt16BE(10 + index * 4) / F2DOT14,
    to: avar.readInt16BE(12 + index * 4) / F2DOT14,
  }));
  const above = points.findIndex(({ from }) => from >= linear);
  const [low, high] = [points[Math.max(0, above - 1)], points[above]];
  if (low === undefined || high === undefined) return linear;
  return high.from === low.from
    ? high.to
    : low.to + ((high.to - low.to) * (linear - low.from)) / (high.from - low.from);
}

/** Moves the parts of a composite glyph; their offsets are widened to words. */
function moveComponents(glyph: Buffer, deltas: readonly Delta[]): Buffer {
  const parts: Buffer[] = [glyph.subarray(0, 10)];
  const offsets = componentOffsets(glyph);
  for (const [index, offset] of offsets.entries()) {
    const flags = glyph.readUInt16BE(offset);
    const areWords = (flags & 0x0001) !== 0;
    const areOffsets = (flags & 0x0002) !== 0;
    const rest = glyph.subarray(offset + (areWords ? 8 : 6), offsets[index + 1] ?? glyph.length);
    if (!areOffsets) {
      parts.push(glyph.subarray(offset, offsets[index + 1] ?? glyph.length));
      continue;
    }
    const head = Buffer.alloc(8);
    head.writeUInt16BE(flags | 0x0001, 0);
    head.writeUInt16BE(glyph.readUInt16BE(offset + 2), 2);
    const [x, y] = areWords
      ? [glyph.readInt16BE(offset + 4), glyph.readInt16BE(offset + 6)]
      : [glyph.readInt8(offset + 4), glyph.readInt8(offset + 5)];
    head.writeInt16BE(Math.round(x + deltas[index]!.x), 4);
    head.writeInt16BE(Math.round(y + deltas[index]!.y), 6);
    parts.push(head, rest);
  }
  return Buffer.concat(parts);
}

function movedPoint({ x, y, isOnCurve }: Point, delta: Delta): Point {
  return { x: Math.round(x + delta.x), y: Math.round(y + delta.y), isOnCurve };
}

function xMinOf(glyph: Buffer): number {
  return glyph.length < 10 ? 0 : glyph.readInt16BE(2);
}

/** The static font at `value` (for `wght`: 400, 700 …) of a font with one axis. */
export function instanceAt(font: Sfnt, value: number): Sfnt {
  const coordinate = normalizedCoordinate(font, value);
  const gvar = tableOf(font, 'gvar');
  const metrics: Metric[] = [];
  const oldMetrics = readMetrics(font);
  const glyphs = readGlyphs(font).map((glyph, index) => {
    const metric = oldMetrics[index]!;
    const components = componentOffsets(glyph);
    const outline = components.length > 0 || glyph.length === 0 ? undefined : readOutline(glyph);
    const points = outline?.points ?? components.map(() => ({ x: 0, y: 0, isOnCurve: true }));
    const deltas = glyphDeltas({ gvar, glyph: index, coordinate, points, contourEnds: outline?.contourEnds ?? [] });
    if (deltas === undefined) {
      metrics.push(metric);
      return glyph;
    }
    const moved =
      outline === undefined
        ? components.length > 0
          ? moveComponents(glyph, deltas)
          : glyph
        : writeOutline({ ...outline, points: points.map((point, at) => movedPoint(point, deltas[at]!)) });
    // After the outline's points come its left and right edges.
    const [left, right] = [deltas[points.length]!.x, deltas[points.length + 1]!.x];
    const origin = xMinOf(glyph) - metric.leftBearing + left;
    metrics.push({
      advance: Math.max(0, Math.round(metric.advance + right - left)),
      leftBearing: Math.round(xMinOf(moved) - origin),
    });
    return moved;
  });
  const tables = new Map(font.tables);
  for (const tag of ['fvar', 'avar', 'gvar', 'HVAR', 'MVAR', 'STAT']) tables.delete(tag);
  return withGlyphs({ flavor: font.flavor, tables }, glyphs, metrics);
}
