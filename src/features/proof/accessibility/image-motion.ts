// Which pictures of a message move, and for how long: they are fetched for it, but never decoded.
import type { ImageMotion } from '../../../engines/accessibility/index.ts';
import { formatOfName, type ImageFormat } from '../../../engines/images/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { fetchAll } from '../../../platform/fetch/index.ts';
import { IMAGE_ACCEPT, readImageFile } from '../images/index.ts';
import type { PreparedMessage, ShownImage } from './computations.ts';

const LIMITS = {
  concurrency: 8,
  countMax: 60,
  totalBytesMax: 40 * 1024 * 1024,
  sizeBytesMax: 10 * 1024 * 1024,
  timeoutMs: 6_000,
  accept: IMAGE_ACCEPT,
};
/** Formats of still pictures, by the name of the file. A picture with another name, or none, is loaded. */
const STILL: readonly (ImageFormat | undefined)[] = ['jpeg', 'svg', 'bmp', 'ico', 'tiff', 'heif'];

function mayMove({ resolvedUrl }: ShownImage): boolean {
  return /^https?:/.test(resolvedUrl) && !STILL.includes(formatOfName(new URL(resolvedUrl).pathname));
}

/** What is known of the pictures' motion, by address as written. A picture that cannot be had is absent. */
export async function imageMotions(
  { fetch, compute }: Pick<Outside, 'fetch' | 'compute'>,
  { images, motions }: Pick<PreparedMessage, 'images' | 'motions'>,
  signal: AbortSignal,
): Promise<Map<string, ImageMotion>> {
  const fetched = await fetchAll(
    images.filter(mayMove).map(({ resolvedUrl }) => resolvedUrl),
    { ...LIMITS, fetch, signal },
  );
  const known = new Map(motions);
  for (const { url, resolvedUrl } of images) {
    const answer = known.has(url) ? undefined : fetched.get(resolvedUrl);
    if (!answer || 'error' in answer) continue;
    const { isAnimated, asPlayedDurationMs, loops } = await readImageFile(compute, answer.body, signal);
    known.set(url, { isAnimated, asPlayedDurationMs, loops });
  }
  return known;
}
