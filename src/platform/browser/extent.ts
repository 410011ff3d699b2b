// How much of a document becomes the picture.
import type { RenderRequest } from './types.ts';

/** The longest picture in device pixels: Skia's limit for one bitmap is 32,767. */
export const PIXEL_HEIGHT_MAX = 32_000;
/** Four bytes each, several copies on the way: what one capture may hold. */
const PIXELS_MAX = 64_000_000;
/**
 * Where a first screen is asked for, a picture of at most so many device pixels is made whole at once: to visit the
 * document a second time costs more than these pixels (about 40 ns each). In two visits, a message of 0.8 Mpx in all
 * clients takes 1.44 times as long.
 */
const WHOLE_AT_ONCE_PIXELS_MAX = 2_600_000;

interface Extent {
  /** CSS pixels of the document, from its top. */
  height: number;
  /** Nothing that a whole picture would have is left out. */
  isWhole: boolean;
  /** The whole picture has not the whole document. */
  isCut: boolean;
}

type Asked = Pick<RenderRequest, 'width' | 'height' | 'pixelRatio' | 'heightMax' | 'extent'>;

/**
 * The part of a document that is asked for. `scale` is what it is shrunk by to fit the viewport's width: a viewport
 * shows more of a shrunk document.
 */
export function extentOf(asked: Asked, { contentHeight, scale }: { contentHeight: number; scale: number }): Extent {
  const pixelWidth = asked.width * asked.pixelRatio;
  const pixelsPerCss = asked.pixelRatio * scale;
  const pixelHeightMax = Math.min(PIXEL_HEIGHT_MAX, Math.floor(PIXELS_MAX / pixelWidth));
  const wholeHeight = Math.min(contentHeight, asked.heightMax, Math.floor(pixelHeightMax / pixelsPerCss));
  const screenHeight = Math.ceil(asked.height / scale);
  const isWhole =
    asked.extent !== 'first_screen' ||
    screenHeight >= wholeHeight ||
    pixelWidth * wholeHeight * pixelsPerCss <= WHOLE_AT_ONCE_PIXELS_MAX;
  return { height: isWhole ? wholeHeight : screenHeight, isWhole, isCut: wholeHeight < contentHeight };
}
