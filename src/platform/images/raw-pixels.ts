// Decoding, always bounded in pixels and time.
import sharp, { type Sharp } from 'sharp';
import { PIXELS_MAX } from './image-source.ts';
import { runImageChild } from './run-child.ts';

// One core per job is the arithmetic of the job lanes: the library's own threads would only wait for each other.
sharp.concurrency(1);
sharp.cache(false);

/** Rows of 8-bit samples: RGB or RGBA, sRGB. Frames of an animation stand below each other. */
export interface RawPixels {
  data: Buffer;
  width: number;
  /** The most pixels of all frames together. */
  height: number;
  channels: 3 | 4;
}

interface DecodeOptions {
  timeoutMs: number;
  /** Frames from the first, -1 for all; 1 when left out. */
  frames?: number;
  /** Shrinks to fit, never enlarges. */
  maxWidth?: number;
  maxHeight?: number;
}

/** All frames together, for the image library, which holds four bytes a pixel. */
export const DECODED_PIXELS_MAX = 25_000_000;

/** Seconds for the library, which counts in whole ones. */
export function secondsOf(timeoutMs: number): { seconds: number } {
  return { seconds: Math.max(1, Math.ceil(timeoutMs / 1000)) };
}

/** Opens an image for decoding: right way up, within limits. Errors come when pixels are asked for. */
export function openImage(bytes: Uint8Array, { timeoutMs, frames = 1, maxWidth, maxHeight }: DecodeOptions): Sharp {
  const image = sharp(bytes, { limitInputPixels: PIXELS_MAX, pages: frames, autoOrient: true }).timeout(
    secondsOf(timeoutMs),
  );
  if (maxWidth === undefined && maxHeight === undefined) return image;
  return image.resize({ width: maxWidth, height: maxHeight, fit: 'inside', withoutEnlargement: true });
}

/** Pixels as sRGB with 8 bits. Throws the library's error for damaged bytes. */
export async function decodePixels(bytes: Uint8Array, options: DecodeOptions): Promise<RawPixels> {
  return rawOf(openImage(bytes, options));
}

async function rawOf(image: Sharp): Promise<RawPixels> {
  const { data, info } = await image
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels === 3 || info.channels === 4)
    return { data, width: info.width, height: info.height, channels: info.channels };
  throw new TypeError(`sRGB pixels have 3 or 4 channels, not ${info.channels}`);
}

const SVG_BYTES_MAX = 2_000_000;
const PNG_BYTES_MAX = 40_000_000;

/**
 * An SVG drawn as PNG, `width` pixels wide at most. Filters can keep a drawing library busy for hours and no deadline
 * of its own stops it, so it is done in a process that can be killed. Undefined when that fails.
 */
export async function drawSvg(
  bytes: Uint8Array,
  { width, timeoutMs }: { width: number; timeoutMs: number },
): Promise<Buffer | undefined> {
  if (bytes.length > SVG_BYTES_MAX) return undefined;
  const drawn = await runImageChild(['svg', String(Math.round(width))], bytes, {
    timeoutMs,
    outputBytesMax: PNG_BYTES_MAX,
  });
  return drawn.ok ? drawn.output : undefined;
}
