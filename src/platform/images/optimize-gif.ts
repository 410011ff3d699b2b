// Smaller GIFs, by gifsicle where it is installed, by its WebAssembly build, or by the image library.
import sharp from 'sharp';
import { DECODED_PIXELS_MAX, decodePixels, openImage, secondsOf, type RawPixels } from './raw-pixels.ts';
import { runChild, runImageChild, type ChildOutcome } from './run-child.ts';
import type { Encoded } from './still-encoders.ts';
import { DIFFERENCE_MAX, isWithin, visualDifference, type VisualDifference } from './visual-difference.ts';

interface GifOptions {
  lossy: boolean;
  frames: number;
  width: number;
  height: number;
  maxWidth: number | undefined;
  deadline: number;
}

/** All frames together, for gifsicle, which holds a byte per pixel; what is larger is left alone. */
export const GIF_PIXELS_MAX = 200_000_000;
/** No more frames are compared after this many decoded pixels. */
const COMPARED_PIXELS_MAX = 8_000_000;

const KEEP = ['--no-warnings', '--no-comments', '--no-names', '-O3', '-Okeep-empty'];
const RUNGS = [
  { encoder: 'gifsicle, lossy 80, 128 colors', args: ['--lossy=80', '--colors=128'], isLossless: false },
  { encoder: 'gifsicle, lossy 80', args: ['--lossy=80'], isLossless: false },
  { encoder: 'gifsicle, lossy 40', args: ['--lossy=40'], isLossless: false },
  { encoder: 'gifsicle, lossy 20', args: ['--lossy=20'], isLossless: false },
  { encoder: 'gifsicle, lossless', args: [], isLossless: true },
];

/**
 * The smallest GIF with the same frames and times that is close enough to the original, measured; undefined when none
 * is smaller. Throws the library's error for damaged bytes.
 */
export async function optimizeGif(bytes: Uint8Array, options: GifOptions): Promise<Encoded | undefined> {
  const { lossy, deadline, maxWidth } = options;
  const isSmall = options.width * options.height * options.frames <= DECODED_PIXELS_MAX;
  const left = () => Math.max(1, deadline - performance.now());
  const isShrunk = maxWidth !== undefined && maxWidth < options.width;
  if (isShrunk && !isSmall) return undefined;
  const frames = Math.max(
    1,
    Math.min(options.frames, Math.floor(COMPARED_PIXELS_MAX / (options.width * options.height))),
  );
  const size = isShrunk ? { maxWidth } : {};
  const reference = await decodePixels(bytes, { frames, timeoutMs: left(), ...size });
  const source = isShrunk
    ? await openImage(bytes, { frames: -1, timeoutMs: left(), maxWidth }).gif({ effort: 7 }).toBuffer()
    : bytes;
  const timing = await timingOf(bytes);
  for (const rung of RUNGS.filter(({ isLossless }) => lossy || isLossless)) {
    if (left() < 100) break;
    const body = await runGifsicle([...KEEP, ...rung.args], source, left());
    if (!body) return isSmall ? withoutGifsicle(source, { ...options, reference, compared: frames }) : undefined;
    if (body.length >= bytes.length) continue;
    const difference = await differenceOf(body, { reference, frames, timing, timeoutMs: left() });
    if (difference) return { format: 'gif', body, encoder: rung.encoder, difference, ...sizeOf(reference, frames) };
  }
  return undefined;
}

function sizeOf(reference: RawPixels, frames: number): { width: number; height: number } {
  return { width: reference.width, height: reference.height / frames };
}

/** Delays and loops, which must stay as they are. */
async function timingOf(bytes: Uint8Array): Promise<string> {
  const { delay, loop, pages } = await sharp(bytes, { pages: -1, limitInputPixels: false }).metadata();
  return JSON.stringify([delay, loop, pages]);
}

interface Compared {
  reference: RawPixels;
  frames: number;
  timing: string;
  timeoutMs: number;
}

/** Undefined when the pictures are too different, or the animation is another. */
async function differenceOf(
  body: Buffer,
  { reference, frames, timing, timeoutMs }: Compared,
): Promise<VisualDifference | undefined> {
  if ((await timingOf(body)) !== timing) return undefined;
  const difference = visualDifference(reference, await decodePixels(body, { frames, timeoutMs }));
  return isWithin(difference, DIFFERENCE_MAX) ? difference : undefined;
}

/** Whether the program is installed; undefined until it was tried. */
let isInstalled: boolean | undefined;

/** The output of gifsicle; undefined when neither the program nor its WebAssembly build gets anywhere. */
async function runGifsicle(args: readonly string[], input: Uint8Array, timeoutMs: number): Promise<Buffer | undefined> {
  const limits = { timeoutMs, outputBytesMax: 2 * input.length + 1_000_000 };
  let outcome: ChildOutcome | undefined;
  if (isInstalled !== false) {
    outcome = await runChild(['gifsicle', ...args], input, limits);
    isInstalled = outcome.ok || outcome.reason !== 'missing';
  }
  if (isInstalled === false) outcome = await runImageChild(['gifsicle', ...args], input, limits);
  return outcome?.ok ? outcome.output : undefined;
}

/** Optimizes with the image library alone, which saves little. */
async function withoutGifsicle(
  source: Uint8Array,
  { reference, compared, deadline, lossy }: GifOptions & { reference: RawPixels; compared: number },
): Promise<Encoded | undefined> {
  const timeoutMs = Math.max(1, deadline - performance.now());
  if (!lossy) return undefined;
  const body = await openImage(source, { frames: -1, timeoutMs })
    .timeout(secondsOf(timeoutMs))
    .gif({ effort: 7, interFrameMaxError: 8 })
    .toBuffer();
  const difference = await differenceOf(body, {
    reference,
    frames: compared,
    timing: await timingOf(source),
    timeoutMs,
  });
  if (!difference || body.length >= source.length) return undefined;
  return { format: 'gif', body, encoder: 'libvips', difference, ...sizeOf(reference, compared) };
}
