// Where two pictures differ, pixel by pixel. The gate compares with this, and so does the dashboard, which is built with
// this file: it imports nothing.

export interface Pixels {
  width: number;
  height: number;
  /** RGBA, row by row. */
  data: Uint8Array | Uint8ClampedArray;
}

/** A row of the first, of the second, or of both; -1 where one has none. */
export interface RowPair {
  a: number;
  b: number;
}

export interface Band {
  top: number;
  bottom: number;
}

export interface Difference {
  width: number;
  height: number;
  /**
   * RGBA: magenta where they differ, the picture that is shown faded to gray elsewhere, pale magenta where only one has
   * rows or columns.
   */
  data: Uint8ClampedArray<ArrayBuffer>;
  differing: number;
  total: number;
  /** Runs of rows with differences, near ones as one. */
  bands: Band[];
}

interface DifferenceOptions {
  /** 0 to 1: how far two colors may be apart and still count as equal. */
  threshold: number;
  /** Which row is held against which. */
  pairs: readonly RowPair[];
  /** Which one stands faded behind the differences. Default: the first. */
  shown?: 'a' | 'b';
}

const MAGENTA = [224, 0, 159] as const;
/** Weights of brightness and the two color axes of YIQ, as the eye has them (Kotsarenko and Ramos, 2010). */
const Y = 0.5053;
const I = 0.299;
const Q = 0.1957;
/** The largest squared distance of two colors by these. */
const DISTANCE_MAX = 35_215;
/** Rows between two differences that still make one band. */
const BAND_GAP = 24;

/** How far apart two colors are, from how far their red, green and blue are. */
function distance(red: number, green: number, blue: number): number {
  if (red === 0 && green === 0 && blue === 0) return 0;
  const y = red * 0.29889531 + green * 0.58662247 + blue * 0.11448223;
  const i = red * 0.59597799 - green * 0.2741761 - blue * 0.32180189;
  const q = red * 0.21147017 - green * 0.52261711 + blue * 0.31114694;
  return Y * y * y + I * i * i + Q * q * q;
}

/**
 * Whether the color of a pixel is that one, or near it.
 * @param threshold 0 to 1: how far two colors may be apart and still count as near
 */
export function isColorNear(
  data: ArrayLike<number>,
  at: number,
  { to, threshold }: { to: readonly number[]; threshold: number },
): boolean {
  const apart = (channel: number): number => (data[at + channel] as number) - (to[channel] as number);
  return distance(apart(0), apart(1), apart(2)) <= DISTANCE_MAX * threshold * threshold;
}

/** The pixel in pale gray, mixed with magenta by a share. */
function paint(target: Uint8ClampedArray, at: number, { gray, magenta }: { gray: number; magenta: number }): void {
  const pale = 255 - (255 - gray) * 0.34;
  for (let channel = 0; channel < 3; channel++)
    target[at + channel] = pale * (1 - magenta) + (MAGENTA[channel] as number) * magenta;
  target[at + 3] = 255;
}

function grayAt({ data }: Pixels, at: number): number {
  return (data[at] as number) * 0.299 + (data[at + 1] as number) * 0.587 + (data[at + 2] as number) * 0.114;
}

function bandsOf(rows: Uint8Array): Band[] {
  const bands: Band[] = [];
  for (let row = 0; row < rows.length; row++) {
    if (!rows[row]) continue;
    const last = bands.at(-1);
    if (last && row - last.bottom <= BAND_GAP) last.bottom = row;
    else bands.push({ top: row, bottom: row });
  }
  return bands;
}

interface Row {
  pair: RowPair;
  width: number;
  limit: number;
  shown: 'a' | 'b';
  target: Uint8ClampedArray;
  at: number;
}

/** Paints one row; answers how many of its pixels differ. */
function paintRow(a: Pixels, b: Pixels, { pair, width, limit, shown, target, at }: Row): number {
  let differing = 0;
  for (let x = 0; x < width; x++, at += 4) {
    const inA = pair.a >= 0 && x < a.width ? (pair.a * a.width + x) * 4 : -1;
    const inB = pair.b >= 0 && x < b.width ? (pair.b * b.width + x) * 4 : -1;
    if (inA >= 0 && inB >= 0) {
      const apart = (channel: number): number => (a.data[inA + channel] as number) - (b.data[inB + channel] as number);
      const isEqual = distance(apart(0), apart(1), apart(2)) <= limit;
      paint(target, at, { gray: shown === 'a' ? grayAt(a, inA) : grayAt(b, inB), magenta: isEqual ? 0 : 1 });
      if (!isEqual) differing++;
    } else {
      paint(target, at, { gray: inA >= 0 ? grayAt(a, inA) : inB >= 0 ? grayAt(b, inB) : 255, magenta: 0.3 });
      differing++;
    }
  }
  return differing;
}

/** Compares two pictures from their left edges. */
export function differenceOf(a: Pixels, b: Pixels, { threshold, pairs, shown = 'a' }: DifferenceOptions): Difference {
  const width = Math.max(a.width, b.width);
  const data = new Uint8ClampedArray(width * pairs.length * 4);
  const rows = new Uint8Array(pairs.length);
  const limit = DISTANCE_MAX * threshold * threshold;
  let differing = 0;
  for (const [row, pair] of pairs.entries()) {
    const found = paintRow(a, b, { pair, width, limit, shown, target: data, at: row * width * 4 });
    if (found > 0) rows[row] = 1;
    differing += found;
  }
  return { width, height: pairs.length, data, differing, total: width * pairs.length, bands: bandsOf(rows) };
}
