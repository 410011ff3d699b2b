// Turns what a Gecko program has painted into a rendering.
import sharp from 'sharp';
import { RenderError } from '../errors.ts';
import type { GeckoPixels } from './process.ts';
import type { Rendering } from '../types.ts';

/**
 * The rows that were painted: what was not is transparent, which a viewport never is. A document's height is a fraction
 * and is rounded up, so its last row may be missing; more than that is a failure.
 */
function paintedRows({ rgba, width, height }: GeckoPixels, pixelRatio: number): number {
  const rowBytes = width * 4;
  const columns = [0, width >> 1, width - 1];
  let row = 0;
  while (row < height && columns.every((column) => rgba[row * rowBytes + column * 4 + 3] === 255)) row += 1;
  if (row === 0 || height - row > Math.ceil(pixelRatio)) {
    throw new RenderError('not_drawn', 'The engine did not paint the whole document.', `${row} of ${height} rows`);
  }
  return row;
}

/** Codes the pixels. Throws `RenderError` (`load_failed`) when the program has left some unpainted. */
export async function toRendering(pixels: GeckoPixels, pixelRatio: number): Promise<Omit<Rendering, 'engine'>> {
  const { rgba, width, contentHeight, isCut, isWhole } = pixels;
  const height = paintedRows(pixels, Math.max(1, pixelRatio));
  const png = await sharp(rgba.subarray(0, width * height * 4), {
    raw: { width, height, channels: 4 },
    limitInputPixels: false,
  })
    .removeAlpha()
    .png({ compressionLevel: 2 })
    .toBuffer();
  return { png, width, height, contentHeight, isCut, isWhole };
}
