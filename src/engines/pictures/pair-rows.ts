// Which row of a picture is which row of another that a different engine drew: by how alike they are, not by their bytes.
import type { Picture } from './compare-pictures.ts';
import type { RowPair } from './difference.ts';

/** Places along a row at which its brightness is looked at. */
const PLACES = 32;
/** What it costs to leave a row without a partner, in steps of brightness at each place. */
const LONE_COST = 10 * PLACES;
/** Steps of rows that are aligned; of longer pictures several rows are one step. */
const STEPS_MAX = 3000;

/** The mean brightness of each step of rows at each place, row by row. */
function profileOf(
  { width, height, data }: Picture,
  { rows, span, background }: { rows: number; span: number; background: readonly number[] },
): Uint8Array {
  const steps = Math.ceil(height / rows);
  const profile = new Uint8Array(steps * PLACES);
  const brightness = (red: number, green: number, blue: number): number => red * 0.299 + green * 0.587 + blue * 0.114;
  const empty = brightness(background[0] as number, background[1] as number, background[2] as number);
  for (let step = 0; step < steps; step++) {
    for (let place = 0; place < PLACES; place++) {
      const [from, to] = [Math.floor((place * span) / PLACES), Math.floor(((place + 1) * span) / PLACES)];
      let [sum, count] = [0, 0];
      for (let row = step * rows; row < Math.min(height, (step + 1) * rows); row++) {
        for (let x = from; x < Math.min(to, width); x++, count++) {
          const at = (row * width + x) * 4;
          sum += brightness(data[at] as number, data[at + 1] as number, data[at + 2] as number);
        }
      }
      profile[step * PLACES + place] = count === 0 ? empty : sum / count;
    }
  }
  return profile;
}

function costOf(a: Uint8Array, b: Uint8Array, [i, j]: readonly [number, number]): number {
  let cost = 0;
  for (let place = 0, x = i * PLACES, y = j * PLACES; place < PLACES; place++, x++, y++)
    cost += Math.abs((a[x] as number) - (b[y] as number));
  return cost;
}

/** The cheapest way through both (Needleman and Wunsch, 1970), as pairs of steps in order. */
function cheapestPairs(a: Uint8Array, b: Uint8Array): RowPair[] {
  const [rows, columns] = [a.length / PLACES, b.length / PLACES];
  const ways = new Uint8Array((rows + 1) * (columns + 1));
  let before = Float64Array.from({ length: columns + 1 }, (_, j) => j * LONE_COST);
  for (let i = 1; i <= rows; i++) {
    const costs = new Float64Array(columns + 1);
    costs[0] = i * LONE_COST;
    ways[i * (columns + 1)] = 1;
    for (let j = 1; j <= columns; j++) {
      const both = (before[j - 1] as number) + costOf(a, b, [i - 1, j - 1]);
      const onlyA = (before[j] as number) + LONE_COST;
      const onlyB = (costs[j - 1] as number) + LONE_COST;
      const least = Math.min(both, onlyA, onlyB);
      costs[j] = least;
      ways[i * (columns + 1) + j] = least === both ? 0 : least === onlyA ? 1 : 2;
    }
    before = costs;
  }
  const pairs: RowPair[] = [];
  for (let i = rows, j = columns; i > 0 || j > 0;) {
    const way = i === 0 ? 2 : j === 0 ? 1 : ways[i * (columns + 1) + j];
    pairs.push({ a: way === 2 ? -1 : i - 1, b: way === 1 ? -1 : j - 1 });
    if (way !== 2) i--;
    if (way !== 1) j--;
  }
  return pairs.reverse();
}

/** The rows of one step of both, as far as they have them. */
function spread({ a, b }: RowPair, rows: number, heights: { a: number; b: number }): RowPair[] {
  const at = (step: number, row: number, height: number): number =>
    step >= 0 && step * rows + row < height ? step * rows + row : -1;
  return Array.from({ length: rows }, (_, row) => ({ a: at(a, row, heights.a), b: at(b, row, heights.b) })).filter(
    (pair) => pair.a >= 0 || pair.b >= 0,
  );
}

/** Pairs the rows of two pictures, in order; a row that the other picture lacks stands alone. */
export function pairRows(
  a: Picture,
  b: Picture,
  backgrounds: { captured: readonly number[]; preview: readonly number[] },
): RowPair[] {
  const rows = Math.ceil(Math.max(a.height, b.height) / STEPS_MAX);
  const span = Math.max(a.width, b.width);
  const pairs = cheapestPairs(
    profileOf(a, { rows, span, background: backgrounds.captured }),
    profileOf(b, { rows, span, background: backgrounds.preview }),
  );
  return pairs.flatMap((pair) => spread(pair, rows, { a: a.height, b: b.height }));
}
