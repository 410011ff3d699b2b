// Which row of a picture is which row of another: what was put in above moves everything below, and only the rows that
// are new shall count. Renders of one engine repeat exactly, so rows are identified by their bytes.
import type { Picture } from './compare-pictures.ts';
import type { RowPair } from './difference.ts';

/** Cells of the table that is filled between two anchors; with more rows than that they are paired in order. */
const CELLS_MAX = 1_000_000;

/** FNV-1a over the pixels of each row. */
function describe({ width, height, data }: Picture): Uint32Array {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const rows = new Uint32Array(height);
  for (let row = 0, at = 0; row < height; row++) {
    let hash = 0x811c9dc5;
    for (const end = at + width; at < end; at++) hash = Math.imul(hash ^ (pixels[at] as number), 0x01000193);
    rows[row] = hash;
  }
  return rows;
}

/** Where each row stands that there is only one of. */
function loneRows(rows: Uint32Array): Map<number, number> {
  const places = new Map<number, number>();
  for (const [row, hash] of rows.entries()) places.set(hash, places.has(hash) ? -1 : row);
  return places;
}

/** Rows that each picture has once, as far as both have them in one order (patience diff: the longest rising run). */
function anchorsOf(a: Uint32Array, b: Uint32Array): RowPair[] {
  const [inA, inB] = [loneRows(a), loneRows(b)];
  const piles: (RowPair & { before: number })[] = [];
  const tops: number[] = [];
  for (const [hash, row] of inA) {
    const other = inB.get(hash) ?? -1;
    if (row < 0 || other < 0) continue;
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((piles[tops[middle] as number] as RowPair).b < other) low = middle + 1;
      else high = middle;
    }
    piles.push({ a: row, b: other, before: low > 0 ? (tops[low - 1] as number) : -1 });
    tops[low] = piles.length - 1;
  }
  const found: RowPair[] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = (piles[at] as { before: number }).before)
    found.push({ a: piles[at]!.a, b: piles[at]!.b });
  return found.reverse();
}

/** Longest common subsequence of the rows between two anchors, as pairs of equal rows in order. */
function equalRows(a: Uint32Array, b: Uint32Array): RowPair[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] =
        a[i] === b[j]
          ? (lengths[at + width + 1] as number) + 1
          : Math.max(lengths[at + width] as number, lengths[at + 1] as number);
    }
  }
  const pairs: RowPair[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const at = i * width + j;
    if (a[i] === b[j]) pairs.push({ a: i++, b: j++ });
    else if ((lengths[at + width] as number) >= (lengths[at + 1] as number)) i++;
    else j++;
  }
  return pairs;
}

/** Rows that have no partner, in order; those left over stand alone. */
function pairBetween(pairs: RowPair[], from: RowPair, to: RowPair): void {
  const count = Math.max(to.a - from.a, to.b - from.b);
  for (let row = 0; row < count; row++)
    pairs.push({ a: from.a + row < to.a ? from.a + row : -1, b: from.b + row < to.b ? from.b + row : -1 });
}

/** Pairs of equal rows: what is lone in both, then what lies between. */
function partners(a: Uint32Array, b: Uint32Array): RowPair[] {
  const found: RowPair[] = [];
  let from: RowPair = { a: 0, b: 0 };
  for (const to of [...anchorsOf(a, b), { a: a.length, b: b.length }]) {
    const [partA, partB] = [a.subarray(from.a, to.a), b.subarray(from.b, to.b)];
    if (partA.length * partB.length <= CELLS_MAX)
      for (const pair of equalRows(partA, partB)) found.push({ a: from.a + pair.a, b: from.b + pair.b });
    if (to.a < a.length) found.push(to);
    from = { a: to.a + 1, b: to.b + 1 };
  }
  return found;
}

/** Pairs the rows of two pictures, in order. Rows of pictures of different width are paired as they stand. */
export function alignRows(first: Picture, second: Picture): RowPair[] {
  const [a, b] = [describe(first), describe(second)];
  const pairs: RowPair[] = [];
  let from: RowPair = { a: 0, b: 0 };
  for (const pair of first.width === second.width ? partners(a, b) : []) {
    pairBetween(pairs, from, pair);
    pairs.push(pair);
    from = { a: pair.a + 1, b: pair.b + 1 };
  }
  pairBetween(pairs, from, { a: a.length, b: b.length });
  return pairs;
}
