// What the caller knows of an image from its header (`engines/images` reads it), and what this folder hands back.

export interface ImageSource {
  /** `gif`, `png`, `jpeg`, `webp`, `avif`, `heif`, `svg`, `bmp`, `ico`, `tiff`; null for what is no image. */
  format: string | null;
  width: number;
  height: number;
  frames: number;
  isAnimated: boolean;
  colourSpace: 'rgb' | 'grey' | 'cmyk';
  orientation: number;
  hasProfile: boolean;
  /** `ok` where the structure of the file is whole. */
  status: string;
}

/**
 * Why there are no pixels. `unsupported`: nothing here decodes the format. `unreadable`: the bytes are damaged, so that
 * they cannot be decoded. `damaged`: they can be, in part or whole, but the file breaks the rules of its format or
 * lacks its end.
 */
export type PixelProblem = 'unsupported' | 'unreadable' | 'damaged' | 'too_large' | 'timeout';

/** Of one frame. Nothing larger is ever decoded. */
export const PIXELS_MAX = 50_000_000;
/** Formats that the libraries decode. */
const DECODED = new Set(['gif', 'png', 'jpeg', 'webp', 'avif', 'tiff', 'svg']);

/** What is wrong before anything is decoded; undefined when it may be tried. */
export function problemOf({ format, width, height }: ImageSource): PixelProblem | undefined {
  if (format === null || !DECODED.has(format)) return 'unsupported';
  return width * height > PIXELS_MAX ? 'too_large' : undefined;
}

/**
 * The same for an error of the library: the bytes are at fault, unless the time was up. Faults of our own are thrown
 * on.
 */
export function problemOfError(error: unknown, deadline: number): PixelProblem {
  // The library throws plain errors; a TypeError or RangeError is not its way to speak of bytes.
  if (!(error instanceof Error) || error.name !== 'Error') throw error;
  return performance.now() >= deadline ? 'timeout' : 'unreadable';
}
