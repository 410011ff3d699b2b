// How much two pictures of the same size differ to the eye, measured on a bounded number of blocks.
import type { RawPixels } from './raw-pixels.ts';

export interface VisualDifference {
  /** Structural similarity (Wang et al. 2004) of lightness in blocks of 8 × 8 areas, mean; 1 is equal. */
  ssim: number;
  /** Color distance in Oklab × 100, 95th percentile; 2 is just noticed side by side. */
  deltaE: number;
}

/** What a changed image may differ at most; `optimize` raises quality until it does not. */
export const DIFFERENCE_MAX: VisualDifference = { ssim: 0.985, deltaE: 3 };

export function isWithin({ ssim, deltaE }: VisualDifference, limit: VisualDifference): boolean {
  return ssim >= limit.ssim && deltaE <= limit.deltaE;
}

/** The eye's unit here is an area of 2 × 2 pixels: on dense screens, which images are made for, it sees no smaller. */
const AREA = 2;
const AREAS_PER_SIDE = 8;
const AREAS = AREAS_PER_SIDE * AREAS_PER_SIDE;
const BLOCK = AREA * AREAS_PER_SIDE;
/** 49,152 pixels: spread over the whole picture, their mean is that of all to a few thousandths. */
const BLOCKS_MAX = 192;
/** The constants of the original paper, for 8-bit samples. */
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;
/** Transparent pictures are compared on both backgrounds. */
const GROUNDS = [255, 24];
/** Steps of color distance that the percentile is found in. */
const STEPS_PER_DISTANCE = 50;

/** Red, green and blue of one block, summed by area; reused for every block. */
const FIRST = new Float64Array(AREAS * 3);
const SECOND = new Float64Array(AREAS * 3);

/** Pictures of different size are as different as can be. */
export function visualDifference(reference: RawPixels, candidate: RawPixels): VisualDifference {
  if (reference.width !== candidate.width || reference.height !== candidate.height) return { ssim: 0, deltaE: 100 };
  const columns = Math.max(1, Math.floor(reference.width / BLOCK));
  const blocks = columns * Math.max(1, Math.floor(reference.height / BLOCK));
  const count = Math.min(blocks, BLOCKS_MAX);
  const distances = new Uint32Array(100 * STEPS_PER_DISTANCE + 1);
  let similarity = 0;
  for (let index = 0; index < count; index++) {
    const block = Math.floor((index * blocks) / count);
    const place = { left: (block % columns) * BLOCK, top: Math.floor(block / columns) * BLOCK, ground: GROUNDS[0]! };
    // A block without transparency looks the same on every ground.
    const referenceHasHoles = readBlock(reference, place, FIRST);
    const hasHoles = readBlock(candidate, place, SECOND) || referenceHasHoles;
    let worst = compareBlocks(distances);
    if (hasHoles) {
      const other = { ...place, ground: GROUNDS[1]! };
      readBlock(reference, other, FIRST);
      readBlock(candidate, other, SECOND);
      worst = Math.min(worst, compareBlocks(distances));
    }
    similarity += worst;
  }
  return { ssim: round(similarity / count, 4), deltaE: percentile(distances, 0.95) / STEPS_PER_DISTANCE };
}

interface BlockPlace {
  left: number;
  top: number;
  ground: number;
}

/** Returns whether anything in the block is transparent. */
function readBlock(
  { data, width, height, channels }: RawPixels,
  { left, top, ground }: BlockPlace,
  areas: Float64Array,
): boolean {
  areas.fill(0);
  let hasHoles = false;
  for (let y = 0; y < BLOCK; y++) {
    // Pictures smaller than a block repeat their last row and column.
    const row = Math.min(top + y, height - 1) * width;
    for (let x = 0; x < BLOCK; x++) {
      const at = (row + Math.min(left + x, width - 1)) * channels;
      const area = ((y >> 1) * AREAS_PER_SIDE + (x >> 1)) * 3;
      let share = 1;
      if (channels === 4 && data[at + 3] !== 255) {
        share = data[at + 3]! / 255;
        hasHoles = true;
      }
      const below = ground * (1 - share);
      areas[area]! += data[at]! * share + below;
      areas[area + 1]! += data[at + 1]! * share + below;
      areas[area + 2]! += data[at + 2]! * share + below;
    }
  }
  return hasHoles;
}

/** Similarity of the two blocks read last; their color distances are counted into `distances`. */
function compareBlocks(distances: Uint32Array): number {
  let [sumA, sumB, squares, product] = [0, 0, 0, 0];
  for (let area = 0; area < AREAS * 3; area += 3) {
    const distance = distanceAt(area) * STEPS_PER_DISTANCE;
    distances[Math.min(distances.length - 1, Math.round(distance))]! += 1;
    const a = luma(FIRST, area);
    const b = luma(SECOND, area);
    sumA += a;
    sumB += b;
    squares += a * a + b * b;
    product += a * b;
  }
  const [meanA, meanB] = [sumA / AREAS, sumB / AREAS];
  const variances = squares / AREAS - meanA * meanA - meanB * meanB;
  const covariance = product / AREAS - meanA * meanB;
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA * meanA + meanB * meanB + C1) * (variances + C2));
}

/** Of an area, 0–255. */
function luma(areas: Float64Array, area: number): number {
  return (0.299 * areas[area]! + 0.587 * areas[area + 1]! + 0.114 * areas[area + 2]!) / (AREA * AREA);
}

const LINEAR_STEPS = 255 * AREA * AREA;
/** Linear light of the sum of four samples. */
const LINEAR = Float64Array.from({ length: LINEAR_STEPS + 1 }, (_, sum) => {
  const value = sum / LINEAR_STEPS;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});
const ROOT_STEPS = 16_384;
const ROOT = Float64Array.from({ length: ROOT_STEPS + 2 }, (_, step) => Math.cbrt(step / ROOT_STEPS));

const OKLAB_A = new Float64Array(3);
const OKLAB_B = new Float64Array(3);

function distanceAt(area: number): number {
  if (FIRST[area] === SECOND[area] && FIRST[area + 1] === SECOND[area + 1] && FIRST[area + 2] === SECOND[area + 2])
    return 0;
  oklab(FIRST, area, OKLAB_A);
  oklab(SECOND, area, OKLAB_B);
  const [l, m, s] = [OKLAB_A[0]! - OKLAB_B[0]!, OKLAB_A[1]! - OKLAB_B[1]!, OKLAB_A[2]! - OKLAB_B[2]!];
  return 100 * Math.sqrt(l * l + m * m + s * s);
}

/** Oklab (Ottosson 2020) of an area. */
function oklab(areas: Float64Array, area: number, out: Float64Array): void {
  const red = LINEAR[Math.round(areas[area]!)]!;
  const green = LINEAR[Math.round(areas[area + 1]!)]!;
  const blue = LINEAR[Math.round(areas[area + 2]!)]!;
  const l = ROOT[Math.round((0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) * ROOT_STEPS)]!;
  const m = ROOT[Math.round((0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) * ROOT_STEPS)]!;
  const s = ROOT[Math.round((0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) * ROOT_STEPS)]!;
  out[0] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  out[1] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  out[2] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
}

/** The step below which the share of all counts lies. */
function percentile(counts: Uint32Array, share: number): number {
  const wanted = counts.reduce((sum, count) => sum + count, 0) * share;
  let seen = 0;
  for (let step = 0; step < counts.length; step++) {
    seen += counts[step]!;
    if (seen >= wanted) return step;
  }
  return counts.length - 1;
}

function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
