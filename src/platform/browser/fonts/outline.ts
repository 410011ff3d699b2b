// One simple glyph as points, and back (OpenType 1.9 "glyf"). Instructions are dropped: nothing here is hinted.

export interface Point {
  x: number;
  y: number;
  isOnCurve: boolean;
}

interface Outline {
  /** The last point of each contour. */
  contourEnds: number[];
  points: Point[];
  overlaps: boolean;
}

const ON_CURVE = 0x01;
const X_SHORT = 0x02;
const Y_SHORT = 0x04;
const REPEAT = 0x08;
const X_SAME = 0x10;
const Y_SAME = 0x20;
const OVERLAP = 0x40;

/** Reads a glyph with one or more contours. */
export function readOutline(glyph: Buffer): Outline {
  const contours = glyph.readInt16BE(0);
  const contourEnds = Array.from({ length: contours }, (_, index) => glyph.readUInt16BE(10 + index * 2));
  const count = (contourEnds.at(-1) ?? -1) + 1;
  let offset = 10 + contours * 2;
  offset += 2 + glyph.readUInt16BE(offset);
  const flags: number[] = [];
  while (flags.length < count) {
    const flag = glyph.readUInt8(offset++);
    flags.push(flag);
    if ((flag & REPEAT) === 0) continue;
    for (let left = glyph.readUInt8(offset++); left > 0; left -= 1) flags.push(flag);
  }
  const coordinates = (short: number, same: number): number[] => {
    let value = 0;
    return flags.slice(0, count).map((flag) => {
      if ((flag & short) !== 0) value += (flag & same) !== 0 ? glyph.readUInt8(offset++) : -glyph.readUInt8(offset++);
      else if ((flag & same) === 0) {
        value += glyph.readInt16BE(offset);
        offset += 2;
      }
      return value;
    });
  };
  const xs = coordinates(X_SHORT, X_SAME);
  const ys = coordinates(Y_SHORT, Y_SAME);
  const points = xs.map((x, index) => ({ x, y: ys[index]!, isOnCurve: (flags[index]! & ON_CURVE) !== 0 }));
  return { contourEnds, points, overlaps: ((flags[0] ?? 0) & OVERLAP) !== 0 };
}

function packCoordinate(delta: number, bits: { short: number; same: number }, bytes: number[]): number {
  if (delta === 0) return bits.same;
  if (Math.abs(delta) < 256) {
    bytes.push(Math.abs(delta));
    return bits.short | (delta > 0 ? bits.same : 0);
  }
  bytes.push((delta >> 8) & 0xff, delta & 0xff);
  return 0;
}

/** Writes a glyph; its points must be whole numbers. */
export function writeOutline({ contourEnds, points, overlaps }: Outline): Buffer {
  const flags: number[] = [];
  const [xs, ys]: [number[], number[]] = [[], []];
  let [x, y] = [0, 0];
  for (const [index, point] of points.entries()) {
    let flag = point.isOnCurve ? ON_CURVE : 0;
    if (index === 0 && overlaps) flag |= OVERLAP;
    flag |= packCoordinate(point.x - x, { short: X_SHORT, same: X_SAME }, xs);
    flag |= packCoordinate(point.y - y, { short: Y_SHORT, same: Y_SAME }, ys);
    [x, y] = [point.x, point.y];
    flags.push(flag);
  }
  const header = Buffer.alloc(10 + contourEnds.length * 2 + 2);
  header.writeInt16BE(contourEnds.length, 0);
  boundsOf(points).forEach((value, index) => header.writeInt16BE(value, 2 + index * 2));
  contourEnds.forEach((end, index) => header.writeUInt16BE(end, 10 + index * 2));
  return Buffer.concat([header, Buffer.from(packFlags(flags)), Buffer.from(xs), Buffer.from(ys)]);
}

/** Left, bottom, right, top. */
function boundsOf(points: readonly Point[]): [number, number, number, number] {
  const bounds: [number, number, number, number] = [32_767, 32_767, -32_768, -32_768];
  for (const { x, y } of points) {
    if (x < bounds[0]) bounds[0] = x;
    if (y < bounds[1]) bounds[1] = y;
    if (x > bounds[2]) bounds[2] = x;
    if (y > bounds[3]) bounds[3] = y;
  }
  return bounds;
}

function packFlags(flags: readonly number[]): number[] {
  const packed: number[] = [];
  for (let index = 0; index < flags.length;) {
    const flag = flags[index]!;
    let run = 1;
    while (run < 256 && flags[index + run] === flag) run += 1;
    if (run > 2) packed.push(flag | REPEAT, run - 1);
    else for (let left = run; left > 0; left -= 1) packed.push(flag);
    index += run;
  }
  return packed;
}
