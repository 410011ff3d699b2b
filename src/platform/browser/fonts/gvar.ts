// How far each point of a glyph moves at one place of one axis (OpenType 1.9 "gvar", "Tuple variation store").
import type { Point } from './outline.ts';

export interface Delta {
  x: number;
  y: number;
}

interface GlyphDeltasInput {
  gvar: Buffer;
  glyph: number;
  /** Normalized, -1 to 1. */
  coordinate: number;
  points: readonly Point[];
  contourEnds: readonly number[];
}

const F2DOT14 = 16_384;
/** Left, right, top and bottom edge follow the outline's points. */
const PHANTOM_POINTS = 4;
const EMBEDDED_PEAK = 0x8000;
const INTERMEDIATE = 0x4000;
const PRIVATE_POINTS = 0x2000;
const SHARED_POINTS = 0x8000;

interface Cursor {
  bytes: Buffer;
  offset: number;
}

/** Point numbers, or undefined for "all of them". */
function readPoints(cursor: Cursor): number[] | undefined {
  const { bytes } = cursor;
  let count = bytes.readUInt8(cursor.offset++);
  if (count === 0) return undefined;
  if ((count & 0x80) !== 0) count = ((count & 0x7f) << 8) | bytes.readUInt8(cursor.offset++);
  const points: number[] = [];
  let point = 0;
  while (points.length < count) {
    const control = bytes.readUInt8(cursor.offset++);
    for (let left = control & 0x7f; left >= 0 && points.length < count; left -= 1) {
      if ((control & 0x80) === 0) point += bytes.readUInt8(cursor.offset++);
      else {
        point += bytes.readUInt16BE(cursor.offset);
        cursor.offset += 2;
      }
      points.push(point);
    }
  }
  return points;
}

function readDeltas(cursor: Cursor, count: number): number[] {
  const { bytes } = cursor;
  const deltas: number[] = [];
  while (deltas.length < count) {
    const control = bytes.readUInt8(cursor.offset++);
    for (let left = control & 0x3f; left >= 0 && deltas.length < count; left -= 1) {
      if ((control & 0x80) !== 0) deltas.push(0);
      else if ((control & 0x40) === 0) deltas.push(bytes.readInt8(cursor.offset++));
      else {
        deltas.push(bytes.readInt16BE(cursor.offset));
        cursor.offset += 2;
      }
    }
  }
  return deltas;
}

function scalarOf(coordinate: number, region: { start: number; peak: number; end: number }): number {
  const { start, peak, end } = region;
  if (peak === 0 || coordinate === peak) return 1;
  if (coordinate <= start || coordinate >= end) return 0;
  return coordinate < peak ? (coordinate - start) / (peak - start) : (end - coordinate) / (end - peak);
}

/** A point without a delta of its own moves with its neighbors on the contour ("Inferred deltas"). */
function inferAxis(
  axis: 'x' | 'y',
  parts: { points: readonly Point[]; known: Map<number, Delta>; deltas: Delta[]; first: number; last: number },
): void {
  const { points, known, deltas, first, last } = parts;
  const given: number[] = [];
  for (let index = first; index <= last; index += 1) if (known.has(index)) given.push(index);
  if (given.length === 0) return;
  for (let index = first; index <= last; index += 1) {
    if (known.has(index)) continue;
    const before = given.findLast((at) => at < index) ?? given.at(-1)!;
    const after = given.find((at) => at > index) ?? given[0]!;
    const [low, high] = points[before]![axis] <= points[after]![axis] ? [before, after] : [after, before];
    const [lowAt, highAt, at] = [points[low]![axis], points[high]![axis], points[index]![axis]];
    const [lowMoves, highMoves] = [known.get(low)![axis], known.get(high)![axis]];
    if (lowAt === highAt) deltas[index]![axis] = lowMoves === highMoves ? lowMoves : 0;
    else if (at <= lowAt) deltas[index]![axis] = lowMoves;
    else if (at >= highAt) deltas[index]![axis] = highMoves;
    else deltas[index]![axis] = lowMoves + ((highMoves - lowMoves) * (at - lowAt)) / (highAt - lowAt);
  }
}

/** The deltas of all points from those of some. */
function inferred(parts: {
  points: readonly Point[];
  contourEnds: readonly number[];
  total: number;
  known: Map<number, Delta>;
}): Delta[] {
  const { points, contourEnds, total, known } = parts;
  const deltas = Array.from({ length: total }, (_, index) => ({
    x: known.get(index)?.x ?? 0,
    y: known.get(index)?.y ?? 0,
  }));
  contourEnds.forEach((last, index) => {
    const first = (contourEnds[index - 1] ?? -1) + 1;
    for (const axis of ['x', 'y'] as const) inferAxis(axis, { points, known, deltas, first, last });
  });
  return deltas;
}

interface TupleHeader {
  size: number;
  hasOwnPoints: boolean;
  scalar: number;
}

function readHeaders(data: Buffer, input: GlyphDeltasInput): TupleHeader[] {
  const { gvar, coordinate } = input;
  const sharedTuples = gvar.readUInt32BE(8);
  let offset = 4;
  return Array.from({ length: data.readUInt16BE(0) & 0x0fff }, () => {
    const index = data.readUInt16BE(offset + 2);
    const size = data.readUInt16BE(offset);
    offset += 4;
    const next = (): number => {
      offset += 2;
      return data.readInt16BE(offset - 2) / F2DOT14;
    };
    const peak =
      (index & EMBEDDED_PEAK) === 0 ? gvar.readInt16BE(sharedTuples + (index & 0x0fff) * 2) / F2DOT14 : next();
    const region =
      (index & INTERMEDIATE) === 0
        ? { start: Math.min(peak, 0), peak, end: Math.max(peak, 0) }
        : { start: next(), peak, end: next() };
    return { size, hasOwnPoints: (index & PRIVATE_POINTS) !== 0, scalar: scalarOf(coordinate, region) };
  });
}

/** One delta per point and then one per phantom point, or undefined when the glyph does not vary. One axis only. */
export function glyphDeltas(input: GlyphDeltasInput): Delta[] | undefined {
  const { gvar, glyph, points, contourEnds } = input;
  const isLong = (gvar.readUInt16BE(14) & 1) !== 0;
  const offsetOf = (index: number): number =>
    isLong ? gvar.readUInt32BE(20 + index * 4) : gvar.readUInt16BE(20 + index * 2) * 2;
  const base = gvar.readUInt32BE(16);
  const data = gvar.subarray(base + offsetOf(glyph), base + offsetOf(glyph + 1));
  if (data.length === 0) return undefined;
  const headers = readHeaders(data, input);
  const cursor: Cursor = { bytes: data, offset: data.readUInt16BE(2) };
  const sharedPoints = (data.readUInt16BE(0) & SHARED_POINTS) === 0 ? undefined : readPoints(cursor);
  const total = points.length + PHANTOM_POINTS;
  const sum = Array.from({ length: total }, () => ({ x: 0, y: 0 }));
  for (const { size, hasOwnPoints, scalar } of headers) {
    const end = cursor.offset + size;
    const numbers = hasOwnPoints ? readPoints(cursor) : sharedPoints;
    const count = numbers?.length ?? total;
    if (scalar !== 0) {
      const [xs, ys] = [readDeltas(cursor, count), readDeltas(cursor, count)];
      const deltas =
        numbers === undefined
          ? xs.map((x, index) => ({ x, y: ys[index]! }))
          : inferred({
              points,
              contourEnds,
              total,
              known: new Map(numbers.map((point, index) => [point, { x: xs[index]!, y: ys[index]! }])),
            });
      for (let index = 0; index < total; index += 1) {
        sum[index]!.x += deltas[index]!.x * scalar;
        sum[index]!.y += deltas[index]!.y * scalar;
      }
    }
    cursor.offset = end;
  }
  return sum;
}
