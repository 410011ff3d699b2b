// Where two pictures differ, pixel by pixel.

export interface Pixels {
  width: number;
  height: number;
  /** RGBA, row by row. */
  data: Uint8ClampedArray;
}

export interface Band {
  top: number;
  bottom: number;
}

export interface Difference {
  width: number;
  height: number;
  /** RGBA: magenta where they differ, the first picture faded to grey elsewhere. */
  data: Uint8ClampedArray<ArrayBuffer>;
  differing: number;
  total: number;
  /** Runs of rows with differences, near ones as one. */
  bands: Band[];
}

const MAGENTA = [224, 0, 159] as const;
/** Weights of brightness and the two colour axes of YIQ, as the eye has them (Kotsarenko and Ramos, 2010). */
const Y = 0.5053;
const I = 0.299;
const Q = 0.1957;
const DISTANCE_MAX = 35_215;
/** Rows between two differences that still make one band. */
const BAND_GAP = 24;

function distance(a: Uint8ClampedArray, b: Uint8ClampedArray, at: number, other: number): number {
  const r = (a[at] as number) - (b[other] as number);
  const g = (a[at + 1] as number) - (b[other + 1] as number);
  const blue = (a[at + 2] as number) - (b[other + 2] as number);
  const y = r * 0.29889531 + g * 0.58662247 + blue * 0.11448223;
  const i = r * 0.59597799 - g * 0.2741761 - blue * 0.32180189;
  const q = r * 0.21147017 - g * 0.52261711 + blue * 0.31114694;
  return Y * y * y + I * i * i + Q * q * q;
}

function paintFaded(target: Uint8ClampedArray, at: number, source: Uint8ClampedArray, from: number): void {
  const grey = (source[from] as number) * 0.299 + (source[from + 1] as number) * 0.587 + (source[from + 2] as number) * 0.114;
  const faded = 255 - (255 - grey) * 0.22;
  target[at] = target[at + 1] = target[at + 2] = faded;
  target[at + 3] = 255;
}

function paintMagenta(target: Uint8ClampedArray, at: number): void {
  [target[at], target[at + 1], target[at + 2]] = MAGENTA;
  target[at + 3] = 255;
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

/**
 * Compares two pictures laid on each other at the top left.
 * @param threshold 0 to 1: how far two colours may be apart and still count as equal.
 */
export function differenceOf(a: Pixels, b: Pixels, threshold: number): Difference {
  const width = Math.max(a.width, b.width);
  const height = Math.max(a.height, b.height);
  const data = new Uint8ClampedArray(width * height * 4);
  const rows = new Uint8Array(height);
  const limit = DISTANCE_MAX * threshold * threshold;
  let differing = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const inBoth = x < a.width && x < b.width && y < a.height && y < b.height;
      const inA = (y * a.width + x) * 4;
      if (inBoth && distance(a.data, b.data, inA, (y * b.width + x) * 4) <= limit) {
        paintFaded(data, at, a.data, inA);
        continue;
      }
      paintMagenta(data, at);
      rows[y] = 1;
      differing++;
    }
  }
  return { width, height, data, differing, total: width * height, bands: bandsOf(rows) };
}
