// Which row of a picture is which row of another: what was put in above moves everything below, and only the rows that
// are new shall count. Renders of one engine repeat exactly, so rows are told by their bytes.
import type { Picture } from './compare-pictures.ts';

/** A row of the first, of the second, or of both; -1 where one has none. */
export interface RowPair {
  a: number;
  b: number;
}

/** Cells of the table that is filled; with more rows between the equal ends, pictures are taken as they stand. */
const CELLS_MAX = 12_000_000;

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

/** Longest common subsequence of the rows between the ends, as pairs of equal rows in order. */
function equalRows(a: Uint32Array, b: Uint32Array): RowPair[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] = a[i] === b[j] ? (lengths[at + width + 1] as number) + 1 : Math.max(lengths[at + width] as number, lengths[at + 1] as number);
    }
  }
  const pairs: RowPair[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const at = i * width + j;
    if (a[i] === b[j]) pairs.push({ a: i++, b: j++ });
    else if ((lengths[at + width] as number) >= (lengths[at + 1] as number)) i++;
    else j++;
  }
  return pairs;
}

/** Rows between two anchors, paired in order; those left over stand alone. */
function pairBetween(pairs: RowPair[], from: RowPair, to: RowPair): void {
  const count = Math.max(to.a - from.a, to.b - from.b);
  for (let row = 0; row < count; row++) pairs.push({ a: from.a + row < to.a ? from.a + row : -1, b: from.b + row < to.b ? from.b + row : -1 });
}

/** Pairs the rows of two pictures, in order. */
export function alignRows(first: Picture, second: Picture): RowPair[] {
  const [a, b] = [describe(first), describe(second)];
  const shorter = Math.min(a.length, b.length);
  let top = 0;
  while (first.width === second.width && top < shorter && a[top] === b[top]) top++;
  let bottom = 0;
  while (first.width === second.width && bottom < shorter - top && a[a.length - 1 - bottom] === b[b.length - 1 - bottom]) bottom++;
  const [middleA, middleB] = [a.subarray(top, a.length - bottom), b.subarray(top, b.length - bottom)];
  const isAligned = first.width === second.width && middleA.length * middleB.length <= CELLS_MAX && Math.min(middleA.length, middleB.length) < 65_535;
  const anchors = isAligned ? equalRows(middleA, middleB).map((pair) => ({ a: pair.a + top, b: pair.b + top })) : [];
  const pairs = Array.from({ length: top }, (_, row): RowPair => ({ a: row, b: row }));
  let at: RowPair = { a: top, b: top };
  for (const anchor of anchors) {
    pairBetween(pairs, at, anchor);
    pairs.push(anchor);
    at = { a: anchor.a + 1, b: anchor.b + 1 };
  }
  pairBetween(pairs, at, { a: a.length - bottom, b: b.length - bottom });
  for (let row = bottom; row > 0; row--) pairs.push({ a: a.length - row, b: b.length - row });
  return pairs;
}
