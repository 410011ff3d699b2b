// Which pictures of a message move, and for how long: they are fetched for it, but never decoded.
import type { ImageMotion } from '../../engines/accessibility/index.ts';
import { decodeDataUrl, findImages, formatOfName, readImage, type FoundImage, type ImageFormat } from '../../engines/images/index.ts';
import type { Outside } from '../../platform/feature/index.ts';
import { fetchAll } from '../../platform/fetch/index.ts';
import type { CheckedMessage } from '../email-sources/index.ts';

const LIMITS = { concurrency: 8, countMax: 60, totalBytesMax: 40 * 1024 * 1024, sizeBytesMax: 10 * 1024 * 1024, timeoutMs: 6_000, accept: 'image/*' };
/** By the name of the file; what has no telling name is looked at. */
const STILL: readonly (ImageFormat | undefined)[] = ['jpeg', 'svg', 'bmp', 'ico', 'tiff', 'heif'];

function mayMove({ resolvedUrl = '' }: FoundImage): boolean {
  return /^https?:/.test(resolvedUrl) && !STILL.includes(formatOfName(new URL(resolvedUrl).pathname));
}

/** Pictures that the message carries itself. */
function carried({ inline }: CheckedMessage, url: string): Uint8Array | undefined {
  if (/^data:/i.test(url)) return decodeDataUrl(url)?.bytes;
  const id = /^cid:(.*)$/is.exec(url)?.[1];
  return id === undefined ? undefined : inline.find(({ contentId }) => contentId === id)?.body;
}

/** What is known of the pictures' motion, by address as written. A picture that cannot be had is absent. */
export async function imageMotions({ fetch }: Pick<Outside, 'fetch'>, message: CheckedMessage, signal: AbortSignal): Promise<Map<string, ImageMotion>> {
  const images = findImages(message.html, message.baseUrl).filter(({ kind }) => kind === 'img');
  const fetched = await fetchAll(images.filter(mayMove).map(({ resolvedUrl }) => resolvedUrl!), { ...LIMITS, fetch, signal });
  const motions = new Map<string, ImageMotion>();
  for (const { url, resolvedUrl = url } of images) {
    if (motions.has(url)) continue;
    const answer = fetched.get(resolvedUrl);
    const bytes = answer ? ('error' in answer ? undefined : answer.body) : carried(message, url);
    if (!bytes) continue;
    const { isAnimated, asPlayedDurationMs, loops } = readImage(bytes);
    motions.set(url, { isAnimated, asPlayedDurationMs, loops });
  }
  return motions;
}
