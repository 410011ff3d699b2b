// How much a picture differs from its baseline, and a picture of where.
import { alignRows } from './align-rows.ts';
import { differenceOf, type Band } from './difference.ts';

/** RGBA, row by row; the bytes begin at a multiple of four. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8Array;
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

const ROWS_MAX = 40_000;

/**
 * Compares a picture with its baseline; rows that only moved do not count.
 * @param threshold 0 to 1: how far two colors may be apart and still count as equal
 */
export function comparePictures(
  before: Picture,
  now: Picture,
  { threshold }: { threshold: number },
): PictureDifference {
  const pairs = alignRows(before, now).slice(0, ROWS_MAX);
  const { width, height, data, differing, total, bands } = differenceOf(before, now, { threshold, pairs, shown: 'b' });
  if (differing === 0) return { share: 0, bands: [] };
  return { share: differing / total, bands, picture: { width, height, data: new Uint8Array(data.buffer) } };
}
