// Which row of one picture is which row of another: mail clients shift what follows by a few pixels here and there,
// and a comparison that doesn't follow the shifts finds everything different. Needleman and Wunsch (1970), in a band.
import type { Pixels, RowPair } from './difference.ts';
import { describe, unlikeness, type Described } from './row-likeness.ts';
import { mendTears } from './torn-rows.ts';

/** What a row without a partner costs, in steps of brightness. */
const GAP = 5;
/** How far apart partners may lie, beyond the difference of the heights. */
const REACH = 240;
const BAND_MAX = 1600;

/** With fewer partners, as between a light and a dark picture, following says nothing. */
const MATCHED_MIN = 0.5;

const BOTH = 0;
const ONLY_A = 1;
const ONLY_B = 2;

interface Band {
  /** Columns of the band. */
  width: number;
  /** Column of the band → row of `b`, for a row of `a`. */
  offset: number;
  steps: Uint8Array;
  described: Described;
}

/** The cheapest step into every cell of the band. */
function fill(a: Pixels, b: Pixels): Band {
  const shift = b.height - a.height;
  const reach = Math.min(REACH, Math.floor((BAND_MAX - Math.abs(shift)) / 2));
  const offset = Math.min(0, shift) - reach;
  const width = Math.abs(shift) + 2 * reach + 1;
  const described = { a: describe(a), b: describe(b) };
  const steps = new Uint8Array((a.height + 1) * width);
  let before = new Float32Array(width).fill(Infinity);
  let now = new Float32Array(width).fill(Infinity);
  for (let i = 0; i <= a.height; i++) {
    for (let column = 0; column < width; column++) {
      const j = i + offset + column;
      let cost = Infinity;
      let step = BOTH;
      if (i === 0 && j === 0) cost = 0;
      else if (j >= 0 && j <= b.height) {
        if (i > 0 && j > 0) cost = (before[column] as number) + unlikeness(described, i - 1, j - 1);
        const onlyA = i > 0 && column + 1 < width ? (before[column + 1] as number) + GAP : Infinity;
        if (onlyA < cost) [cost, step] = [onlyA, ONLY_A];
        const onlyB = j > 0 && column > 0 ? (now[column - 1] as number) + GAP : Infinity;
        if (onlyB < cost) [cost, step] = [onlyB, ONLY_B];
      }
      now[column] = cost;
      steps[i * width + column] = step;
    }
    [before, now] = [now, before];
  }
  return { width, offset, steps, described };
}

/** Rows as they stand, without following shifts. */
export function rowsAsTheyStand(a: Pixels, b: Pixels): RowPair[] {
  return Array.from({ length: Math.max(a.height, b.height) }, (_, row) => ({
    a: row < a.height ? row : -1,
    b: row < b.height ? row : -1,
  }));
}

/** Pairs the rows of two pictures, in order. Pictures that have little in common are taken as they stand. */
export function alignRows(a: Pixels, b: Pixels): RowPair[] {
  if (Math.abs(a.height - b.height) > BAND_MAX - 40) return rowsAsTheyStand(a, b);
  const { width, offset, steps, described } = fill(a, b);
  const pairs: RowPair[] = [];
  let i = a.height;
  let j = b.height;
  while (i > 0 || j > 0) {
    const step = i === 0 ? ONLY_B : j === 0 ? ONLY_A : steps[i * width + (j - i - offset)];
    if (step === BOTH) pairs.push({ a: --i, b: --j });
    else if (step === ONLY_A) pairs.push({ a: --i, b: -1 });
    else pairs.push({ a: -1, b: --j });
  }
  const matched = pairs.filter((pair) => pair.a >= 0 && pair.b >= 0).length;
  return matched < Math.min(a.height, b.height) * MATCHED_MIN
    ? rowsAsTheyStand(a, b)
    : mendTears(pairs.reverse(), described);
}
