// What is known about an image without decoding it.

export type ImageFormat = 'gif' | 'png' | 'jpeg' | 'webp' | 'avif' | 'heif' | 'svg' | 'bmp' | 'ico' | 'tiff';

/**
 * `truncated`: the end is missing. `corrupt`: the structure breaks its format's rules. Facts read until then are kept.
 */
type ImageStatus = 'ok' | 'truncated' | 'corrupt' | 'not_an_image' | 'empty';

/** `binary`: a pixel is there or not. `alpha`: in degrees. */
type Transparency = 'none' | 'binary' | 'alpha';

/** How often an animation plays in all, counting the first time. */
export type Loops = number | 'endless';

/** Facts from the header of an image; a field that its format lacks keeps the value of `PLAIN_HEADER`. */
export interface ImageHeader {
  /** Displayed size, after applying the orientation of a camera; 0 when unknown. */
  width: number;
  height: number;
  frames: number;
  /** Duration of one pass over all frames, as written in the file. */
  durationMs: number;
  /** The same as browsers play it. */
  asPlayedDurationMs: number;
  loops: Loops;
  /** Per pixel: 8 for gray, 24 for RGB, 32 with alpha; of a palette, the bits of an index. 0 when unknown. */
  colourDepthBits: number;
  /** Entries of the (largest) palette; null without one. */
  paletteColours: number | null;
  transparency: Transparency;
  isProgressive: boolean;
  /** Dots per inch; null when none is given. */
  densityDpi: number | null;
  colourSpace: 'rgb' | 'grey' | 'cmyk';
  hasProfile: boolean;
  /** EXIF orientation 1–8. */
  orientation: number;
  status: 'ok' | 'truncated' | 'corrupt';
}

/** The facts about an image that need no decoding. */
export interface ImageFacts extends Omit<ImageHeader, 'status'> {
  status: ImageStatus;
  /** Null when it is no image. */
  format: ImageFormat | null;
  mediaType: string | null;
  bytes: number;
  isAnimated: boolean;
  hasAlpha: boolean;
  /** More pixels than anything here decodes; a decompression bomb or a mistake. */
  isOverLimit: boolean;
}

export const PLAIN_HEADER: ImageHeader = {
  width: 0,
  height: 0,
  frames: 1,
  durationMs: 0,
  asPlayedDurationMs: 0,
  loops: 1,
  colourDepthBits: 0,
  paletteColours: null,
  transparency: 'none',
  isProgressive: false,
  densityDpi: null,
  colourSpace: 'rgb',
  hasProfile: false,
  orientation: 1,
  status: 'ok',
};

/** Facts from the decoded pixels; lightness is CIE L* from 0 to 100. The platform's `pixelFacts` makes them. */
export interface PixelFacts {
  /** Mean relative luminance (WCAG) of what is visible, 0–1; 0 when nothing is. */
  meanLuminance: number;
  /** Share of pixels of which less than half is seen. */
  transparentShare: number;
  /** Shares of the visible pixels by L*: 101 entries that sum to 1, or all 0. */
  lightness: number[];
  /** The same for visible pixels that border on transparent ones: the contour that a background must not swallow. */
  contour: number[];
  /** Shares of the pixels in the contour. 0 when nothing is transparent. */
  contourShare: number;
  /** The (first) frame shows one flat color, or nothing. */
  isBlank: boolean;
  /** Nothing of the (first) frame lets the ground through, whatever the header allows for. */
  isOpaque: boolean;
  /** The first frame of an animation as PNG: all that some clients show. */
  firstFrame?: Uint8Array;
}

const DELAY_MS_SHORT = 10;
const DELAY_MS_INSTEAD = 100;

/**
 * How long browsers show a frame: Chromium, Firefox and WebKit all show one of 10 ms or less for 100 ms, since such
 * delays were written by tools that meant "as fast as computers of 1995 can".
 */
export function asPlayedMs(delayMs: number): number {
  return delayMs <= DELAY_MS_SHORT ? DELAY_MS_INSTEAD : delayMs;
}
