import { fetchAnswer } from '@galley/sdk';
import type { Pixels } from './difference.ts';

/** The pixels of a picture; scaled to a width when one is given. Throws when it can't be loaded. */
export async function loadPixels(
  url: string,
  { width, signal }: { width?: number | undefined; signal?: AbortSignal } = {},
): Promise<Pixels> {
  const response = await fetchAnswer(url, signal ? { signal } : {});
  if (!response.ok) throw new Error(`The screenshot could not be loaded (HTTP status ${response.status}).`);
  const bitmap = await createImageBitmap(await response.blob());
  const scale = width ? width / bitmap.width : 1;
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser does not support canvas.');
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
