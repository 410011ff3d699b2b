// Screenshots as pixels and back.
import sharp, { type Sharp } from 'sharp';
import { PIXELS_MAX } from './image-source.ts';
import { openImage } from './raw-pixels.ts';

const SCREENSHOT_MS = 20_000;

/** RGBA with 8 bits, row by row. */
interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Decodes a PNG. Throws for what is none, or too large. */
export async function readPicture(png: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(png, { limitInputPixels: PIXELS_MAX })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: Uint8Array.from(data) };
}

/**
 * What a picture that somebody sent shows, as a PNG of that size: turned upright, on white, without anything else that
 * the file says. Undefined when it is damaged.
 */
export async function screenshotOf(
  bytes: Uint8Array,
  size: { width: number; height: number },
): Promise<Buffer | undefined> {
  return unlessDamaged(
    openImage(bytes, { timeoutMs: SCREENSHOT_MS })
      .flatten({ background: '#ffffff' })
      .resize({ ...size, fit: 'fill' })
      .toColourspace('srgb')
      .png({ compressionLevel: 6 }),
  );
}

/**
 * A small JPEG of a picture that somebody sent, within that size and never larger than the picture: its first frame,
 * turned upright, on white. Undefined when it is damaged.
 */
export async function thumbnailOf(
  bytes: Uint8Array,
  { width: maxWidth, height: maxHeight }: { width: number; height: number },
): Promise<Buffer | undefined> {
  return unlessDamaged(
    openImage(bytes, { timeoutMs: SCREENSHOT_MS, maxWidth, maxHeight })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 80 }),
  );
}

async function unlessDamaged(image: Sharp): Promise<Buffer | undefined> {
  try {
    return await image.toBuffer();
  } catch (error) {
    // The library throws plain errors about the bytes; others are faults of our own.
    if (error instanceof Error && error.name === 'Error') return undefined;
    throw error;
  }
}

export async function writePicture({ width, height, data }: Pixels): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
}
