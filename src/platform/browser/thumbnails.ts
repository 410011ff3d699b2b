// Small pictures of a screenshot, made as cheaply as sharp can: decoding the PNG is nearly all of it, and is done once.
import sharp from 'sharp';
import { pngSize } from './png.ts';

// One core per render is the pool's arithmetic: sharp's own threads would only wait for each other.
sharp.concurrency(1);
sharp.cache(false);

interface Thumbnails {
  /** The top of the picture, 240 pixels wide and at most 320 high, JPEG. */
  thumbnail: Buffer;
  /** The whole picture, 320 pixels wide and at most 16,000 high, JPEG. */
  fullThumbnail: Buffer;
  /** Every pixel of the small picture has one color. */
  isBlank: boolean;
  /** Of `sampleOf`. */
  sample: Buffer | undefined;
}

export const LOOK_COLUMNS = 120;
export const LOOK_ROWS = 240;

const TOP_WIDTH = 240;
const TOP_HEIGHT_MAX = 320;
const FULL_WIDTH = 320;
const FULL_HEIGHT_MAX = 16_000;
/** Fixed Huffman tables: half the time of the best ones for two per cent more bytes. */
const JPEG = { quality: 80, optimizeCoding: false };
/** Chromium's PNGs of at most 64 Mpx, and other engines' somewhat larger ones. */
const INPUT_PIXELS_MAX = 128_000_000;

function isOneColor(rgb: Buffer): boolean {
  for (let offset = 3; offset < rgb.length; offset += 1) {
    if (rgb[offset] !== rgb[offset % 3]) return false;
  }
  return true;
}

const WEBP = { quality: 75, effort: 3 };

/** A small picture of a PNG: its top in the shape of a thumbnail, or the whole. Of the top only those rows are decoded. */
export async function smallPicture(
  png: Buffer,
  { width: wanted, isWhole, format }: { width: number; isWhole: boolean; format: 'jpeg' | 'webp' },
): Promise<Buffer> {
  const { width, height } = pngSize(png);
  const heightMax = isWhole ? FULL_HEIGHT_MAX : Math.round((wanted * TOP_HEIGHT_MAX) / TOP_WIDTH);
  const rows = Math.min(height, Math.max(1, Math.floor((heightMax * width) / wanted)));
  const small = sharp(png, { limitInputPixels: INPUT_PIXELS_MAX })
    .extract({ left: 0, top: 0, width, height: rows })
    .flatten({ background: '#ffffff' })
    .resize({ width: wanted })
    .toColourspace('srgb');
  return (format === 'jpeg' ? small.jpeg(JPEG) : small.webp(WEBP)).toBuffer();
}

/** The picture in the width of its full-length thumbnail. */
async function shrink(png: Buffer) {
  const { width, height } = pngSize(png);
  // Rows below the cut are not even decoded.
  const rows = Math.min(height, Math.max(1, Math.floor((FULL_HEIGHT_MAX * width) / FULL_WIDTH)));
  const { data, info } = await sharp(png, { limitInputPixels: INPUT_PIXELS_MAX })
    .extract({ left: 0, top: 0, width, height: rows })
    .flatten({ background: '#ffffff' })
    .resize({ width: FULL_WIDTH, kernel: 'linear' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, info, raw: { width: info.width, height: info.height, channels: info.channels }, isCut: rows < height };
}

/**
 * Colors of the whole picture in `LOOK_COLUMNS` × `LOOK_ROWS` areas, three bytes each; undefined where it is too long
 * to be reduced whole.
 */
export async function sampleOf(png: Buffer): Promise<Buffer | undefined> {
  return sampleFrom(await shrink(png));
}

async function sampleFrom({ data, raw, isCut }: Awaited<ReturnType<typeof shrink>>): Promise<Buffer | undefined> {
  if (isCut) return undefined;
  const areas = { width: LOOK_COLUMNS, height: LOOK_ROWS, fit: 'fill', kernel: 'linear' } as const;
  return sharp(data, { raw }).resize(areas).raw().toBuffer();
}

/** Both thumbnails of a PNG. The picture is shrunk while it is decoded, and the top is cut from the small copy. */
export async function thumbnailsOf(png: Buffer): Promise<Thumbnails> {
  const shrunk = await shrink(png);
  const { data, info, raw } = shrunk;
  const topRows = Math.min(info.height, Math.round((TOP_HEIGHT_MAX * FULL_WIDTH) / TOP_WIDTH));
  const [thumbnail, fullThumbnail, sample] = await Promise.all([
    sharp(data, { raw })
      .extract({ left: 0, top: 0, width: info.width, height: topRows })
      .resize({ width: TOP_WIDTH })
      .jpeg(JPEG)
      .toBuffer(),
    sharp(data, { raw }).jpeg(JPEG).toBuffer(),
    sampleFrom(shrunk),
  ]);
  return { thumbnail, fullThumbnail, isBlank: isOneColor(data), sample };
}
