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

/** One encode and what became of it. */
export interface Attempt {
  format: EncodedFormat;
  encoder: string;
  bytes: number;
  verdict: 'taken' | 'too_different' | 'not_smaller';
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
    // Red letters suffer from halved color resolution before anything else does.
    {
      encoder: 'mozjpeg, quality 86, full color resolution',
      encode: (image) => image.jpeg({ mozjpeg: true, quality: 86, chromaSubsampling: '4:4:4' }),
    },
    {
      encoder: 'mozjpeg, quality 92, full color resolution',
      encode: (image) => image.jpeg({ mozjpeg: true, quality: 92, chromaSubsampling: '4:4:4' }),
    },
  ],
  png: [
    { encoder: 'PNG palette, quality 80', encode: (image) => image.png({ palette: true, quality: 80, effort: 7 }) },
    { encoder: 'PNG palette, quality 100', encode: (image) => image.png({ palette: true, quality: 100, effort: 7 }) },
    {
      encoder: 'PNG, lossless',
      encode: (image) => image.png({ compressionLevel: 9, adaptiveFiltering: true }),
      isLossless: true,
    },
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
  isGray: boolean;
  lossy: boolean;
  /** A result of this size or more is of no use. Not waited for before the first encode is done. */
  bytesMax: number | Promise<number>;
  /** When to give up, in milliseconds of `performance.now()`. */
  deadline: number;
  /** False: settings without loss are not tried, as they cannot win against a JPEG. */
  isLosslessWorthwhile: boolean;
  /** Collects what was tried. */
  attempts: Attempt[];
}

/**
 * The smallest encoding that differs from `pixels` no more than `DIFFERENCE_MAX`, measured on the result; undefined
 * when none is below `bytesMax`. Throws the library's error when time runs out.
 */
export async function encodeWithin(pixels: RawPixels, options: EncodeOptions): Promise<Encoded | undefined> {
  const { format, lossy, isLosslessWorthwhile, attempts } = options;
  const ladder = LADDERS[format].filter(
    ({ isLossless = false }) => (lossy && !isLossless) || (isLossless && isLosslessWorthwhile),
  );
  for (const rung of ladder) {
    const body = await encode(pixels, rung, options);
    const bytesMax = await options.bytesMax;
    const attempt: Attempt = { format, encoder: rung.encoder, bytes: body.length, verdict: 'not_smaller' };
    attempts.push(attempt);
    // More faithful settings only grow; but a palette is not always smaller than what is without loss.
    if (body.length >= bytesMax && format !== 'png') return undefined;
    if (body.length >= bytesMax) continue;
    const difference = visualDifference(
      pixels,
      await decodePixels(body, { timeoutMs: options.deadline - performance.now() }),
    );
    attempt.verdict = isWithin(difference, DIFFERENCE_MAX) ? 'taken' : 'too_different';
    if (attempt.verdict === 'taken')
      return { format, body, width: pixels.width, height: pixels.height, encoder: rung.encoder, difference };
  }
  return undefined;
}

function encode(
  { data, width, height, channels }: RawPixels,
  rung: Rung,
  { isGray, deadline }: EncodeOptions,
): Promise<Buffer> {
  const image = sharp(data, { raw: { width, height, channels } }).timeout(secondsOf(deadline - performance.now()));
  return rung.encode(isGray ? image.toColourspace('b-w') : image).toBuffer();
}
