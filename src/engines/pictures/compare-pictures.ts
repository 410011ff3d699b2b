// How much a picture differs from its baseline, and a picture of where.
import { alignRows, type RowPair } from './align-rows.ts';

/** RGBA, row by row; the bytes begin at a multiple of four. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8Array;
}

export interface Band {
  top: number;
  bottom: number;
}

interface PictureDifference {
  /** Share of all pixels that differ, 0 to 1. */
  share: number;
  /** Runs of rows with differences in the picture of the difference, near ones as one. */
  bands: Band[];
  /**
   * Magenta where they differ, the newer picture pale elsewhere; pale magenta where only one has rows. Absent when
   * nothing differs.
   */
  picture?: Picture;
}

const MAGENTA = [224, 0, 159] as const;
/** The largest squared distance of two colours in YIQ, weighted for the eye (Kotsarenko and Ramos, 2010). */
const DISTANCE_MAX = 35_215;
const BAND_GAP = 24;
const ROWS_MAX = 40_000;

function distance(red: number, green: number, blue: number): number {
  const y = red * 0.29889531 + green * 0.58662247 + blue * 0.11448223;
  const i = red * 0.59597799 - green * 0.2741761 - blue * 0.32180189;
  const q = red * 0.21147017 - green * 0.52261711 + blue * 0.31114694;
  return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q;
}

function paint(target: Uint8Array, at: number, { grey, magenta }: { grey: number; magenta: number }): void {
  const pale = 255 - (255 - grey) * 0.34;
  for (let channel = 0; channel < 3; channel++)
    target[at + channel] = pale * (1 - magenta) + (MAGENTA[channel] as number) * magenta;
  target[at + 3] = 255;
}

function greyAt({ data }: Picture, at: number): number {
  return (data[at] as number) * 0.299 + (data[at + 1] as number) * 0.587 + (data[at + 2] as number) * 0.114;
}

interface Row {
  pair: RowPair;
  width: number;
  limit: number;
  target: Uint8Array;
  at: number;
}

/** Paints one row; answers how many of its pixels differ. */
function paintRow(before: Picture, now: Picture, { pair, width, limit, target, at: start }: Row): number {
  let differing = 0;
  for (let x = 0, at = start; x < width; x++, at += 4) {
    const a = pair.a >= 0 && x < before.width ? (pair.a * before.width + x) * 4 : -1;
    const b = pair.b >= 0 && x < now.width ? (pair.b * now.width + x) * 4 : -1;
    if (a >= 0 && b >= 0) {
      const apart = (channel: number): number =>
        (before.data[a + channel] as number) - (now.data[b + channel] as number);
      const differs = distance(apart(0), apart(1), apart(2)) > limit;
      paint(target, at, { grey: greyAt(now, b), magenta: differs ? 1 : 0 });
      if (differs) differing++;
    } else {
      paint(target, at, { grey: b >= 0 ? greyAt(now, b) : a >= 0 ? greyAt(before, a) : 255, magenta: 0.3 });
      differing++;
    }
  }
  return differing;
}

function bandsOf(rows: readonly number[]): Band[] {
  const bands: Band[] = [];
  for (const row of rows) {
    const last = bands.at(-1);
    if (last && row - last.bottom <= BAND_GAP) last.bottom = row;
    else bands.push({ top: row, bottom: row });
  }
  return bands;
}

/**
 * Compares a picture with its baseline; rows that only moved do not count.
 * @param threshold 0 to 1: how far two colours may be apart and still count as equal
 */
export function comparePictures(
  before: Picture,
  now: Picture,
  { threshold }: { threshold: number },
): PictureDifference {
  const pairs = alignRows(before, now).slice(0, ROWS_MAX);
  const width = Math.max(before.width, now.width);
  const target = new Uint8Array(width * pairs.length * 4);
  const limit = DISTANCE_MAX * threshold * threshold;
  const rows: number[] = [];
  let differing = 0;
  for (const [row, pair] of pairs.entries()) {
    const found = paintRow(before, now, { pair, width, limit, target, at: row * width * 4 });
    if (found > 0) rows.push(row);
    differing += found;
  }
  if (differing === 0) return { share: 0, bands: [] };
  return {
    share: differing / (width * pairs.length),
    bands: bandsOf(rows),
    picture: { width, height: pairs.length, data: target },
  };
}
