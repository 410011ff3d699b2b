// Small pictures of a screenshot, made as cheaply as sharp can.
import sharp from 'sharp';

// One core per render is the pool's arithmetic: sharp's own threads would only wait for each other.
sharp.concurrency(1);
sharp.cache(false);

export interface Thumbnails {
  /** The top of the picture, 240×320, JPEG. */
  thumbnail: Buffer;
  /** The whole picture, 320 pixels wide, JPEG. */
  fullThumbnail: Buffer;
}

const TOP = { width: 240, height: 320 };
const FULL_WIDTH = 320;
const FULL_HEIGHT_MAX = 16_000;
const QUALITY = 80;

/** Both thumbnails of a PNG, which is decoded once. Throws when it can't be decoded. */
export async function thumbnailsOf(png: Buffer): Promise<Thumbnails> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const topHeight = Math.min(info.height, Math.round(info.width * TOP.height / TOP.width));
  const fullHeight = Math.min(info.height, Math.round(info.width * FULL_HEIGHT_MAX / FULL_WIDTH));
  const [thumbnail, fullThumbnail] = await Promise.all([
    sharp(data, { raw }).extract({ left: 0, top: 0, width: info.width, height: topHeight }).resize({ width: TOP.width }).jpeg({ quality: QUALITY }).toBuffer(),
    sharp(data, { raw }).extract({ left: 0, top: 0, width: info.width, height: fullHeight }).resize({ width: FULL_WIDTH }).jpeg({ quality: QUALITY }).toBuffer(),
  ]);
  return { thumbnail, fullThumbnail };
}
