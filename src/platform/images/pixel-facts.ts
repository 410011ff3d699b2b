// What the pixels of an image tell: how light it is, where it is transparent, what its contour is.
import { setImmediate as turn } from 'node:timers/promises';
import { problemOfFrames } from './damage.ts';
import { problemOf, problemOfError, type ImageSource, type PixelProblem } from './image-source.ts';
import { decodePixels, drawSvg, openImage, type RawPixels } from './raw-pixels.ts';

/** Lightness is CIE L*, 0–100. `engines/images` judges it. */
export interface PixelFacts {
  /** Mean relative luminance (WCAG) of what is visible, 0–1; 0 when nothing is. */
  meanLuminance: number;
  /** Share of pixels of which less than half is seen. */
  transparentShare: number;
  /** Shares of the visible pixels by L*: 101 entries that sum to 1, or all 0. */
  lightness: number[];
  /** The same for visible pixels that border on transparent ones. */
  contour: number[];
  /** Share of all pixels that are contour. */
  contourShare: number;
  /** The (first) frame shows one flat color, or nothing. */
  isBlank: boolean;
  /** Nothing of the (first) frame lets the ground through, whatever the header allows for. */
  isOpaque: boolean;
  /** The first frame of an animation as PNG, at most 1,200 pixels wide. */
  firstFrame?: Buffer;
}

type PixelOutcome = { ok: true; pixels: PixelFacts } | { ok: false; problem: PixelProblem };

/** Enough to see a contour; a logo is seldom larger. */
const SIDE_MAX = 512;
const FIRST_FRAME_WIDTH_MAX = 1_200;
const TIMEOUT_MS = 8_000;
/** Of 255; a hair's breadth of noise does not make a picture. */
const FLAT_RANGE_MAX = 2;
const VISIBLE_ALPHA_MIN = 128;
const OPAQUE_ALPHA_MIN = 253;

/**
 * Decodes every frame, and looks at the first one, shrunk to 512 pixels. Bad bytes and slow ones give a problem, never
 * an error; of a file whose structure alone is broken, which the header says, the pixels are looked at nevertheless.
 */
export async function pixelFacts(
  bytes: Uint8Array,
  source: ImageSource,
  { timeoutMs = TIMEOUT_MS } = {},
): Promise<PixelOutcome> {
  const problem = problemOf(source);
  if (problem) return { ok: false, problem };
  const deadline = performance.now() + timeoutMs;
  try {
    const drawn =
      source.format === 'svg' ? await drawSvg(bytes, { width: Math.min(source.width, SIDE_MAX), timeoutMs }) : bytes;
    if (!drawn) return { ok: false, problem: performance.now() >= deadline ? 'timeout' : 'unreadable' };
    const raw = await decodePixels(drawn, { timeoutMs, maxWidth: SIDE_MAX, maxHeight: SIDE_MAX });
    const pixels = await measure(raw);
    if (!source.isAnimated) return { ok: true, pixels };
    const broken = await problemOfFrames(bytes, source, deadline);
    if (broken) return { ok: false, problem: broken };
    const firstFrame = await openImage(bytes, { timeoutMs, maxWidth: FIRST_FRAME_WIDTH_MAX }).png().toBuffer();
    return { ok: true, pixels: { ...pixels, firstFrame } };
  } catch (error) {
    return { ok: false, problem: problemOfError(error, deadline) };
  }
}

const LINEAR = Float64Array.from({ length: 256 }, (_, value) =>
  value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
);
const LIGHTNESS_STEPS = 4_096;
/** Whole L* by luminance. */
const LIGHTNESS = Uint8Array.from({ length: LIGHTNESS_STEPS + 1 }, (_, step) => {
  const luminance = step / LIGHTNESS_STEPS;
  return Math.round(luminance > 216 / 24389 ? 116 * Math.cbrt(luminance) - 16 : (24389 / 27) * luminance);
});

interface Counts {
  lightness: Float64Array;
  contour: Float64Array;
  visible: number;
  atContour: number;
  luminance: number;
}

/** Rows that are looked at before others have their turn. */
const ROWS_AT_ONCE = 64;

async function measure(raw: RawPixels): Promise<PixelFacts> {
  const { width, height } = raw;
  const total = width * height;
  const counts: Counts = {
    lightness: new Float64Array(101),
    contour: new Float64Array(101),
    visible: 0,
    atContour: 0,
    luminance: 0,
  };
  for (let row = 0; row < height; row += ROWS_AT_ONCE) {
    countPixels(raw, counts, { from: row * width, to: Math.min(total, (row + ROWS_AT_ONCE) * width) });
    await turn();
  }
  return {
    meanLuminance: counts.visible === 0 ? 0 : counts.luminance / counts.visible,
    transparentShare: 1 - counts.visible / total,
    lightness: shares(counts.lightness, counts.visible),
    contour: shares(counts.contour, counts.atContour),
    contourShare: counts.atContour / total,
    isBlank: isFlat(raw),
    isOpaque: isOpaque(raw),
  };
}

function countPixels(
  { data, width, height, channels }: RawPixels,
  counts: Counts,
  { from, to }: { from: number; to: number },
): void {
  const total = width * height;
  const isVisible = (pixel: number) => channels === 3 || data[pixel * 4 + 3]! >= VISIBLE_ALPHA_MIN;
  for (let pixel = from; pixel < to; pixel++) {
    if (!isVisible(pixel)) continue;
    const at = pixel * channels;
    const luminance = 0.2126 * LINEAR[data[at]!]! + 0.7152 * LINEAR[data[at + 1]!]! + 0.0722 * LINEAR[data[at + 2]!]!;
    const lightness = LIGHTNESS[Math.round(luminance * LIGHTNESS_STEPS)]!;
    counts.visible += 1;
    counts.luminance += luminance;
    counts.lightness[lightness]! += 1;
    const column = pixel % width;
    const isEdge =
      (column > 0 && !isVisible(pixel - 1)) ||
      (column < width - 1 && !isVisible(pixel + 1)) ||
      (pixel >= width && !isVisible(pixel - width)) ||
      (pixel + width < total && !isVisible(pixel + width));
    if (!isEdge) continue;
    counts.atContour += 1;
    counts.contour[lightness]! += 1;
  }
}

function shares(histogram: Float64Array, total: number): number[] {
  return Array.from(histogram, (count) => (total === 0 ? 0 : count / total));
}

function isOpaque({ data, channels }: RawPixels): boolean {
  if (channels === 3) return true;
  for (let at = 3; at < data.length; at += 4) if (data[at]! < OPAQUE_ALPHA_MIN) return false;
  return true;
}

function isFlat({ data, channels }: RawPixels): boolean {
  const low = [255, 255, 255, 255];
  const high = [0, 0, 0, 0];
  for (let at = 0; at < data.length; at += channels) {
    // The color of what is not seen does not matter.
    const isSeen = channels === 3 || data[at + 3]! > FLAT_RANGE_MAX;
    for (let channel = isSeen ? 0 : 3; channel < channels; channel++) {
      const value = data[at + channel]!;
      if (value < low[channel]!) low[channel] = value;
      if (value > high[channel]!) high[channel] = value;
    }
  }
  return low.every((value, channel) => high[channel]! - value <= FLAT_RANGE_MAX);
}
