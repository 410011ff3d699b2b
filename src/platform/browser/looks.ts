// Which pictures look the same, although their bytes differ by what nobody sees.
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { LOOK_COLUMNS, LOOK_ROWS } from './thumbnails.ts';

const SAMPLE_BYTES = LOOK_COLUMNS * LOOK_ROWS * 3;
const [deflated, inflated] = [promisify(deflate), promisify(inflate)];

/** A picture as its look is judged: its size, and its colors in few areas. */
export interface Sampled {
  width: number;
  height: number;
  /** Red, green and blue of each area, row by row. */
  sample: Uint8Array;
}

/** Share of a side by which sizes may differ: phones of one kind are a few pixels wider than others. */
export const SIZE_TOLERANCE = 0.02;
/**
 * Of 255 levels, in the worst area: letters that another engine smooths stay below, a corner that is no longer round
 * does not.
 */
const LEVELS_MAX = 28;
/** The same in the mean of all areas. */
const MEAN_LEVELS_MAX = 1;

/** As the API says it. */
export const LOOK_RULE =
  `Pictures of a test that look the same have the same value: their sides differ by at most ${SIZE_TOLERANCE * 100} ` +
  `%, and reduced to ${LOOK_COLUMNS} × ${LOOK_ROWS} areas no area differs by more than ${LEVELS_MAX} of 255 levels ` +
  `of a color, nor all of them by more than ${MEAN_LEVELS_MAX} in the mean. A picture that is too long to be ` +
  'reduced whole looks like none but its equals.';

/** Whether a reader who sees both finds no difference, by the tolerances above. */
export function looksAlike(one: Sampled, other: Sampled): boolean {
  return isNear(one.width, other.width) && isNear(one.height, other.height) && isSameSample(one.sample, other.sample);
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= SIZE_TOLERANCE * Math.max(one, other);
}

function isSameSample(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let sum = 0;
  for (let at = 0; at < one.length; at++) {
    const levels = Math.abs(one[at]! - other[at]!);
    if (levels > LEVELS_MAX) return false;
    sum += levels;
  }
  return sum <= MEAN_LEVELS_MAX * one.length;
}

/** A sample as it is kept, and back. */
export function packSample(sample: Uint8Array): Promise<Buffer> {
  return deflated(sample);
}

export function unpackSample(packed: Buffer): Promise<Buffer> {
  return inflated(packed, { maxOutputLength: SAMPLE_BYTES });
}
