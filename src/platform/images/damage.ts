// Whether a file is damaged: the one judgment of image tests and of optimizing, for every format.
import { problemOfError, type ImageSource, type PixelProblem } from './image-source.ts';
import { DECODED_PIXELS_MAX, openImage } from './raw-pixels.ts';

/** Formats of which the library reads every frame. */
const DECODED_ANIMATIONS = new Set(['gif', 'webp']);

/**
 * Decodes every frame of an animation, of a long one as many as `DECODED_PIXELS_MAX` allows: one frame says nothing of
 * those after it. A still picture is decoded by whoever wants its pixels.
 */
export async function problemOfFrames(
  bytes: Uint8Array,
  source: ImageSource,
  deadline: number,
): Promise<PixelProblem | undefined> {
  if (!source.isAnimated || !DECODED_ANIMATIONS.has(source.format ?? '')) return undefined;
  const most = Math.max(1, Math.floor(DECODED_PIXELS_MAX / (source.width * source.height || 1)));
  return problemOfDecoding(bytes, most >= source.frames ? -1 : most, deadline);
}

async function problemOfDecoding(
  bytes: Uint8Array,
  frames: number,
  deadline: number,
): Promise<PixelProblem | undefined> {
  try {
    await openImage(bytes, { frames, timeoutMs: Math.max(1, deadline - performance.now()) })
      .raw()
      .toBuffer();
    return undefined;
  } catch (error) {
    return problemOfError(error, deadline);
  }
}

/**
 * What is wrong with a file before its pixels are wanted: a frame that cannot be decoded, or a structure that is
 * broken, although the library may make a picture of what is left.
 */
export async function problemOfFile(
  bytes: Uint8Array,
  source: ImageSource,
  deadline: number,
): Promise<PixelProblem | undefined> {
  const problem = await problemOfFrames(bytes, source, deadline);
  if (problem || source.status === 'ok') return problem;
  return (await problemOfDecoding(bytes, 1, deadline)) ?? 'damaged';
}
