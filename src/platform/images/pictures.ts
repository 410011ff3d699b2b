// Screenshots as pixels and back.
import sharp from 'sharp';
import { PIXELS_MAX } from './image-source.ts';

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

export async function writePicture({ width, height, data }: Pixels): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
}
