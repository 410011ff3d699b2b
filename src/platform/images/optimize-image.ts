// A smaller file for the same picture: in the same format, since that is what email can take, and in others as an
// offer.
import { setImmediate as turn } from 'node:timers/promises';
import { problemOfFile } from './damage.ts';
import { problemOf, problemOfError, type ImageSource, type PixelProblem } from './image-source.ts';
import { stripJpeg } from './jpeg-strip.ts';
import { GIF_PIXELS_MAX, optimizeGif } from './optimize-gif.ts';
import { DECODED_PIXELS_MAX, decodePixels, drawSvg, openImage, type RawPixels } from './raw-pixels.ts';
import { encodeWithin, type Attempt, type Encoded, type EncodedFormat, type EncodeOptions } from './still-encoders.ts';
import { DIFFERENCE_MAX, isWithin, visualDifference, type VisualDifference } from './visual-difference.ts';

interface OptimizeOptions {
  /** False: nothing of the picture may change. Default true. */
  lossy?: boolean;
  /** Scales down to this width in pixels, keeping proportions. */
  maxWidth?: number;
  /** Other formats to offer. Default JPEG, PNG and WebP, each where it makes sense; AVIF takes five times as long. */
  alternatives?: readonly EncodedFormat[];
  /** The time for all steps together. Default 20 s. */
  timeoutMs?: number;
}

export interface OptimizedImage {
  format: EncodedFormat;
  mediaType: string;
  bytes: number;
  body: Buffer;
  /** Of the original's bytes, one decimal; negative for an alternative that more clients show but that is larger. */
  savedPercent: number;
  width: number;
  height: number;
  /** Such as `mozjpeg, quality 80`. */
  encoder: string;
  /** From the original, scaled where `maxWidth` asks for it; never more than `DIFFERENCE_MAX`. */
  difference: VisualDifference;
}

export interface Optimization {
  originalBytes: number;
  /** Undefined: the original is as small as it gets. */
  sameFormat: OptimizedImage | undefined;
  /**
   * Best first: what every client shows before what is smallest, if the original is in a format that some do not show.
   */
  alternatives: OptimizedImage[];
  /** Every encode of a still image, in order: why the original was kept, or a format is not offered. */
  attempts: Attempt[];
  /** Why nothing, or not everything, was done. */
  problem?: PixelProblem;
}

const TIMEOUT_MS = 20_000;
/** Pixels held in memory at once, at most: 100 MB for each of original and candidate. */
const HELD_PIXELS_MAX = 25_000_000;
/** An alternative must be smaller by this to be worth a format that fewer clients show. */
const WORTHWHILE = 0.95;
const SVG_WIDTH_MAX = 1_600;
const MEDIA_TYPES: Record<EncodedFormat, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
};
/** Formats that every email client shows. */
const UNIVERSAL = new Set<string>(['jpeg', 'png', 'gif']);

interface Job {
  bytes: Uint8Array;
  source: ImageSource;
  lossy: boolean;
  maxWidth: number | undefined;
  offered: ReadonlySet<EncodedFormat>;
  deadline: number;
  result: Optimization;
}

/**
 * Re-encodes an image: metadata gone, turned the right way up, colors in sRGB, quality as low as the bound on the
 * measured difference allows. Never throws for what the bytes are. At most two cores, 400 MB, and `timeoutMs`.
 * @param source what the header says (`readImage`).
 */
export async function optimize(
  bytes: Uint8Array,
  source: ImageSource,
  options: OptimizeOptions = {},
): Promise<Optimization> {
  const result: Optimization = { originalBytes: bytes.length, sameFormat: undefined, alternatives: [], attempts: [] };
  const { lossy = true, maxWidth, alternatives = ['jpeg', 'png', 'webp'], timeoutMs = TIMEOUT_MS } = options;
  const job: Job = {
    bytes,
    source,
    lossy,
    maxWidth,
    offered: new Set(alternatives),
    deadline: performance.now() + timeoutMs,
    result,
  };
  const problem =
    problemOf(source) ??
    heldProblem(job) ??
    (source.format === 'svg' ? undefined : await problemOfFile(bytes, source, job.deadline));
  if (problem) return { ...result, problem };
  try {
    await (source.isAnimated
      ? optimizeAnimation(job)
      : source.format === 'svg'
        ? offerDrawing(job)
        : optimizeStill(job));
  } catch (error) {
    result.problem = problemOfError(error, job.deadline);
  }
  result.alternatives.sort((a, b) => order(a, source) - order(b, source) || a.bytes - b.bytes);
  return result;
}

function heldProblem({ source, maxWidth = Infinity }: Job): PixelProblem | undefined {
  const scale = Math.min(1, maxWidth / source.width);
  const held = source.width * source.height * scale * scale;
  const isTooMuch = source.isAnimated
    ? source.width * source.height * source.frames > GIF_PIXELS_MAX
    : held > HELD_PIXELS_MAX;
  return isTooMuch ? 'too_large' : undefined;
}

function order({ format }: OptimizedImage, source: ImageSource): number {
  return UNIVERSAL.has(source.format ?? '') || UNIVERSAL.has(format) ? 0 : 1;
}

function resultOf(
  { format, body, width, height, encoder, difference }: Encoded,
  originalBytes: number,
): OptimizedImage {
  const savedPercent = Math.round((1 - body.length / originalBytes) * 1000) / 10;
  return {
    format,
    mediaType: MEDIA_TYPES[format],
    bytes: body.length,
    body,
    savedPercent,
    width,
    height,
    encoder,
    difference,
  };
}

function encodeOptions(
  { source, lossy, deadline, result }: Job,
  own: Pick<EncodeOptions, 'format' | 'bytesMax'>,
): EncodeOptions {
  const isLosslessWorthwhile = source.format !== 'jpeg' || !lossy;
  return {
    ...own,
    lossy,
    deadline,
    isLosslessWorthwhile,
    isGray: source.colourSpace === 'grey',
    attempts: result.attempts,
  };
}

function left(job: Job): number {
  return Math.max(1, job.deadline - performance.now());
}

async function optimizeStill(job: Job): Promise<void> {
  const { bytes, source, maxWidth, result } = job;
  const pixels = await withoutIdleAlpha(
    await decodePixels(bytes, { timeoutMs: left(job), ...(maxWidth !== undefined && { maxWidth }) }),
  );
  // Both wait for other threads most of the time. When one fails, the other's result is kept, and nothing runs on
  // unseen.
  const smaller = source.format === 'gif' ? smallerGif(job) : smallerStill(job, pixels);
  const smallest = smaller.then(
    (same) => same?.body.length ?? bytes.length,
    () => bytes.length,
  );
  const [own, offered] = await Promise.allSettled([smaller, offerFormats(job, pixels, smallest)]);
  if (own.status === 'fulfilled' && own.value) result.sameFormat = resultOf(own.value, bytes.length);
  for (const one of [own, offered]) if (one.status === 'rejected') throw one.reason;
}

function smallerGif({ bytes, source, lossy, maxWidth, deadline }: Job): Promise<Encoded | undefined> {
  return optimizeGif(bytes, {
    lossy,
    maxWidth,
    deadline,
    frames: source.frames,
    width: source.width,
    height: source.height,
  });
}

async function smallerStill(job: Job, pixels: RawPixels): Promise<Encoded | undefined> {
  const { bytes, source, lossy } = job;
  const { format } = source;
  if (format !== 'jpeg' && format !== 'png' && format !== 'webp' && format !== 'avif') return undefined;
  // Re-encoding a JPEG always changes it, so that without loss only its notes can go.
  const encoded =
    format === 'jpeg' && !lossy
      ? undefined
      : await encodeWithin(pixels, encodeOptions(job, { format, bytesMax: bytes.length }));
  return encoded ?? (await strippedJpeg(job, pixels));
}

/** The same JPEG without its metadata; only where neither turning nor scaling is asked for. */
async function strippedJpeg(job: Job, pixels: RawPixels): Promise<Encoded | undefined> {
  const { bytes, source } = job;
  const isSame = source.orientation === 1 && pixels.width === source.width && !source.hasProfile;
  if (source.format !== 'jpeg' || !isSame) return undefined;
  const body = stripJpeg(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!body || body.length >= bytes.length) return undefined;
  const difference = visualDifference(pixels, await decodePixels(body, { timeoutMs: left(job) }));
  return isWithin(difference, DIFFERENCE_MAX)
    ? { format: 'jpeg', body, width: pixels.width, height: pixels.height, encoder: 'metadata removed', difference }
    : undefined;
}

/**
 * Offers other formats: one that every client shows, of any size, when the original's is not; others when they are
 * smaller than the original and than what its own format comes to, which is being made meanwhile.
 */
async function offerFormats(job: Job, pixels: RawPixels, smallest: Promise<number>): Promise<void> {
  const { bytes, source, lossy, result } = job;
  const isOpaque = pixels.channels === 3;
  const isUniversal = UNIVERSAL.has(source.format ?? '');
  const worthwhile = smallest.then((size) => size * WORTHWHILE);
  const offer = async (format: Exclude<EncodedFormat, 'gif'>, bytesMax: number | Promise<number>): Promise<number> => {
    if (format === source.format || !job.offered.has(format)) return Infinity;
    const encoded = await encodeWithin(pixels, encodeOptions(job, { format, bytesMax }));
    if (encoded) result.alternatives.push(resultOf(encoded, bytes.length));
    return encoded?.body.length ?? Infinity;
  };
  // A photo is smallest as JPEG; what has holes or sharp edges, as PNG.
  const jpegBytes = isOpaque && lossy ? await offer('jpeg', isUniversal ? worthwhile : Infinity) : Infinity;
  if (!isUniversal || source.format === 'gif')
    await offer('png', isUniversal ? worthwhile.then((size) => Math.min(jpegBytes, size)) : jpegBytes);
  await offer('webp', worthwhile);
  await offer('avif', worthwhile);
}

/** Samples that are looked at before others have their turn. */
const SAMPLES_AT_ONCE = 4 * 500_000;

/** Alpha that is full everywhere costs bytes and rules out JPEG. */
async function withoutIdleAlpha(pixels: RawPixels): Promise<RawPixels> {
  const { data, channels, width, height } = pixels;
  if (channels === 3) return pixels;
  const rgb = Buffer.allocUnsafe((data.length / 4) * 3);
  for (let from = 0; from < data.length; from += SAMPLES_AT_ONCE) {
    if (!copyOpaque(data.subarray(from, from + SAMPLES_AT_ONCE), rgb.subarray((from / 4) * 3))) return pixels;
    await turn();
  }
  return { data: rgb, channels: 3, width, height };
}

/** Red, green and blue of each pixel; false where one lets anything through. */
function copyOpaque(rgba: Buffer, rgb: Buffer): boolean {
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    if (rgba[from + 3] !== 255) return false;
    rgb[to] = rgba[from]!;
    rgb[to + 1] = rgba[from + 1]!;
    rgb[to + 2] = rgba[from + 2]!;
  }
  return true;
}

/** No more frames are compared after this many decoded pixels. */
const COMPARED_PIXELS_MAX = 8_000_000;
const ANIMATED_WEBP = { quality: 80, effort: 4 };

async function optimizeAnimation(job: Job): Promise<void> {
  const { bytes, source, lossy, result } = job;
  // The library reads one frame of an animated PNG, and would lose the others.
  if (source.format !== 'gif' && source.format !== 'webp') {
    result.problem = 'unsupported';
    return;
  }
  if (source.format === 'gif') {
    const same = await smallerGif(job);
    if (same) result.sameFormat = resultOf(same, bytes.length);
  }
  if (!lossy || (source.format === 'gif' && !job.offered.has('webp'))) return;
  if (source.width * source.height * source.frames > DECODED_PIXELS_MAX) {
    result.problem = 'too_large';
    return;
  }
  await animatedWebp(job);
}

async function animatedWebp(job: Job): Promise<void> {
  const { bytes, source, maxWidth, result } = job;
  const size = maxWidth === undefined ? {} : { maxWidth };
  const { data: body, info } = await openImage(bytes, { frames: -1, timeoutMs: left(job), ...size })
    .webp(ANIMATED_WEBP)
    .toBuffer({ resolveWithObject: true });
  const frames = Math.max(1, Math.min(source.frames, Math.floor(COMPARED_PIXELS_MAX / (source.width * source.height))));
  const decode = (from: Uint8Array) => decodePixels(from, { frames, timeoutMs: left(job), ...size });
  const difference = visualDifference(await decode(bytes), await decode(body));
  const best = Math.min(bytes.length, (result.sameFormat?.bytes ?? Infinity) * WORTHWHILE);
  if (body.length >= best || !isWithin(difference, DIFFERENCE_MAX)) return;
  const encoded = resultOf(
    {
      format: 'webp',
      body,
      width: info.width,
      height: info.pageHeight ?? info.height,
      encoder: 'animated WebP, quality 80',
      difference,
    },
    bytes.length,
  );
  if (source.format === 'webp') result.sameFormat = encoded;
  else result.alternatives.push(encoded);
}

/** An SVG as PNG at twice its size, which is what clients without SVG can show. */
async function offerDrawing(job: Job): Promise<void> {
  const { bytes, source, maxWidth = SVG_WIDTH_MAX, deadline, result } = job;
  const drawn = await drawSvg(bytes, {
    width: Math.max(1, Math.min(source.width * 2, maxWidth, SVG_WIDTH_MAX)),
    timeoutMs: left(job),
  });
  if (!drawn) {
    result.problem = performance.now() >= deadline ? 'timeout' : 'unreadable';
    return;
  }
  if (!job.offered.has('png')) return;
  const pixels = await decodePixels(drawn, { timeoutMs: left(job) });
  const encoded = await encodeWithin(pixels, encodeOptions(job, { format: 'png', bytesMax: Infinity }));
  if (encoded) result.alternatives.push(resultOf(encoded, bytes.length));
}
