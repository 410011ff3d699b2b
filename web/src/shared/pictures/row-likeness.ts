// What a row of a picture looks like, in a few numbers, and how alike two rows are.
import type { Pixels } from './difference.ts';

/** Parts of a row whose brightness describes it. */
const PARTS = 16;

/** Mean brightness of each part of each row. */
export function describe({ width, height, data }: Pixels): Float32Array {
  const rows = new Float32Array(height * PARTS);
  const starts = Array.from({ length: PARTS + 1 }, (_, part) => Math.round((part * width) / PARTS));
  for (let y = 0; y < height; y++) {
    for (let part = 0; part < PARTS; part++) {
      const from = starts[part] as number;
      const to = Math.max(from + 1, starts[part + 1] as number);
      let sum = 0;
      for (let at = (y * width + from) * 4, end = (y * width + to) * 4; at < end; at += 4)
        sum += (data[at] as number) * 0.299 + (data[at + 1] as number) * 0.587 + (data[at + 2] as number) * 0.114;
      rows[y * PARTS + part] = sum / (to - from);
    }
  }
  return rows;
}

export interface Described {
  a: Float32Array;
  b: Float32Array;
}

/** How far apart a row of one and a row of the other are, in steps of brightness. */
export function unlikeness({ a, b }: Described, rowA: number, rowB: number): number {
  let sum = 0;
  for (let part = 0; part < PARTS; part++)
    sum += Math.abs((a[rowA * PARTS + part] as number) - (b[rowB * PARTS + part] as number));
  return sum / PARTS;
}

/** How unlike a row of one picture is to the row above it; nothing above the first and below the last. */
export function change(rows: Float32Array, row: number): number {
  return row > 0 && row < rows.length / PARTS ? unlikeness({ a: rows, b: rows }, row, row - 1) : 0;
}
