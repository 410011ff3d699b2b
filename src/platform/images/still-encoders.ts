// Encoders for still images: for each format a ladder of settings, climbed until the picture is close enough.
import sharp, { type Sharp } from 'sharp';
import { decodePixels, secondsOf, type RawPixels } from './raw-pixels.ts';
import { DIFFERENCE_MAX, isWithin, visualDifference, type VisualDifference } from './visual-difference.ts';

export type EncodedFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif';

export interface Encoded {
  format: EncodedFormat;
  body: Buffer;
  width: number;
  height: number;
  /** What made it, such as `mozjpeg, quality 80`. */
  encoder: string;
  difference: VisualDifference;
}

interface Rung {
  encoder: string;
  encode(image: Sharp): Sharp;
  /** Nothing of the picture changes but what the format cannot hold. */
  isLossless?: boolean;
}

/** From the smallest to the most faithful. The quality that people do not tell from the original is first. */
const LADDERS: Record<Exclude<EncodedFormat, 'gif'>, readonly Rung[]> = {
  jpeg: [
    { encoder: 'mozjpeg, quality 80', encode: (image) => image.jpeg({ mozjpeg: true, quality: 80 }) },
    // Red letters suffer from halved colour resolution before anything else does.
    { encoder: 'mozjpeg, quality 86, full colour resolution', encode: (image) => image.jpeg({ mozjpeg: true, quality: 86, chromaSubsampling: '4:4:4' }) },
    { encoder: 'mozjpeg, quality 92, full colour resolution', encode: (image) => image.jpeg({ mozjpeg: true, quality: 92, chromaSubsampling: '4:4:4' }) },
  ],
  png: [
    { encoder: 'PNG palette, quality 80', encode: (image) => image.png({ palette: true, quality: 80, effort: 7 }) },
    { encoder: 'PNG palette, quality 100', encode: (image) => image.png({ palette: true, quality: 100, effort: 7 }) },
    { encoder: 'PNG, lossless', encode: (image) => image.png({ compressionLevel: 9, adaptiveFiltering: true }), isLossless: true },
  ],
  webp: [
    { encoder: 'WebP, quality 80', encode: (image) => image.webp({ quality: 80 }) },
    { encoder: 'WebP, quality 90', encode: (image) => image.webp({ quality: 90, smartSubsample: true }) },
    { encoder: 'WebP, lossless', encode: (image) => image.webp({ lossless: true }), isLossless: true },
  ],
  avif: [
    { encoder: 'AVIF, quality 55', encode: (image) => image.avif({ quality: 55, effort: 2 }) },
    { encoder: 'AVIF, quality 70', encode: (image) => image.avif({ quality: 70, effort: 2 }) },
  ],
};

export interface EncodeOptions {
  format: Exclude<EncodedFormat, 'gif'>;
  isGrey: boolean;
  lossy: boolean;
  /** A result of this size or more is of no use. */
  bytesMax: number;
  /** When to give up, in milliseconds of `performance.now()`. */
  deadline: number;
}

/**
 * The smallest encoding that differs from `pixels` no more than `DIFFERENCE_MAX`, measured on the result; undefined when
 * none is below `bytesMax`. Throws the library's error when time runs out.
 */
export async function encodeWithin(pixels: RawPixels, options: EncodeOptions): Promise<Encoded | undefined> {
  const ladder = LADDERS[options.format].filter((rung) => options.lossy || rung.isLossless);
  for (const rung of ladder) {
    const found = await climb(pixels, rung, options);
    if (found !== 'too different') return found;
  }
  return undefined;
}

async function climb(pixels: RawPixels, rung: Rung, { format, isGrey, bytesMax, deadline }: EncodeOptions): Promise<Encoded | undefined | 'too different'> {
  const { data, width, height, channels } = pixels;
  const left = deadline - performance.now();
  const image = sharp(data, { raw: { width, height, channels } }).timeout(secondsOf(left));
  const body = await rung.encode(isGrey ? image.toColourspace('b-w') : image).toBuffer();
  // More faithful settings only grow; but a palette is not always smaller than what is without loss.
  if (body.length >= bytesMax) return format === 'png' ? 'too different' : undefined;
  const difference = visualDifference(pixels, await decodePixels(body, { timeoutMs: deadline - performance.now() }));
  return isWithin(difference, DIFFERENCE_MAX) ? { format, body, width, height, encoder: rung.encoder, difference } : 'too different';
}
