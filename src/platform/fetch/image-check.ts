// Is it the image it says it is, and may a browser be asked to decode it?
import sharp from 'sharp';

/** Formats by their first bytes; what servers claim about images is often wrong. */
const SIGNATURES: readonly { type: string; matches(bytes: Buffer): boolean }[] = [
  { type: 'image/png', matches: (bytes) => starts(bytes, '\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', matches: (bytes) => starts(bytes, '\xff\xd8\xff') },
  { type: 'image/gif', matches: (bytes) => starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a') },
  { type: 'image/webp', matches: (bytes) => starts(bytes, 'RIFF') && bytes.toString('latin1', 8, 12) === 'WEBP' },
  { type: 'image/avif', matches: (bytes) => /^ftyp(avif|avis)$/.test(bytes.toString('latin1', 4, 12)) },
  { type: 'image/bmp', matches: (bytes) => starts(bytes, 'BM') && bytes.length > 26 && bytes.readUInt32LE(6) === 0 },
  { type: 'image/x-icon', matches: (bytes) => starts(bytes, '\x00\x00\x01\x00') },
];

/** The media type of an image by its magic bytes; undefined when it is none of those that browsers decode. */
export function sniffImage(bytes: Buffer): string | undefined {
  return SIGNATURES.find((signature) => signature.matches(bytes))?.type;
}

function starts(bytes: Buffer, signature: string): boolean {
  return bytes.toString('latin1', 0, signature.length) === signature;
}

interface ImageLimits {
  /** Of one frame. */
  pixelsMax: number;
  framesMax: number;
  /** Of all frames together. */
  framePixelsMax: number;
}

const IMAGE_LIMITS: ImageLimits = { pixelsMax: 50_000_000, framesMax: 2_000, framePixelsMax: 500_000_000 };

/** Why an image may not reach a browser; undefined when it may. Reads headers only, nothing is decoded. */
export async function imageProblem(
  bytes: Buffer,
  type: string,
  limits: ImageLimits = IMAGE_LIMITS,
): Promise<'image_too_large' | 'image_broken' | undefined> {
  if (type === 'image/x-icon') return undefined;
  const size = type === 'image/bmp' ? bitmapSize(bytes) : await rasterSize(bytes);
  if (!size) return 'image_broken';
  const pixels = size.width * size.height;
  const isLarge =
    pixels > limits.pixelsMax || size.frames > limits.framesMax || pixels * size.frames > limits.framePixelsMax;
  return isLarge ? 'image_too_large' : undefined;
}

interface Size {
  width: number;
  height: number;
  frames: number;
}

async function rasterSize(bytes: Buffer): Promise<Size | undefined> {
  // Without the limit sharp reads the header of a bomb as well, so that it can be told from a broken file.
  const read = sharp(bytes, { limitInputPixels: false, pages: -1, failOn: 'none' }).metadata();
  const found = await read.catch(() => undefined);
  if (!found?.width || !found.height) return undefined;
  return { width: found.width, height: found.pageHeight ?? found.height, frames: found.pages ?? 1 };
}

function bitmapSize(bytes: Buffer): Size {
  // A negative height means that rows are stored from the top.
  return { width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)), frames: 1 };
}
