// Which clients show a format, from the caniemail data.
import { CLIENTS } from '../client-emulation/index.ts';
import { featureOf, supportOf, type Support } from '../caniemail/index.ts';
import type { ImageFormat } from './types.ts';

export interface FormatSupport {
  /** Clients by name, as the catalog has them. */
  unsupported: string[];
  partial: { client: string; note: string }[];
  /** Clients that show an animation, but only its first frame. */
  firstFrameOnly: string[];
  /** How many clients the data says something about. */
  knownCount: number;
  /** Feature of the data and the day it was last tested. */
  source: string;
}

const SLUGS: Record<ImageFormat, string> = {
  gif: 'image-gif',
  png: 'image-png',
  jpeg: 'image-jpg',
  webp: 'image-webp',
  avif: 'image-avif',
  heif: 'image-heif',
  svg: 'image-svg',
  bmp: 'image-bmp',
  ico: 'image-ico',
  tiff: 'image-tiff',
};

/** Notes that are about animations only, so that they say nothing about a still image. */
const ANIMATION_NOTES: Record<string, readonly number[]> = {
  'image-gif': [1, 2],
  'image-webp': [3],
  'image-avif': [2],
};
/** Notes that say that only the first frame is shown. */
const STILL_NOTES: Record<string, readonly number[]> = { 'image-gif': [1], 'image-webp': [3], 'image-avif': [2] };

const clients = CLIENTS.filter(({ support, colorScheme }) => support !== null && colorScheme === 'light');

/** Support of a format in the catalog's clients; `isAnimated` asks for its animated form. */
export function formatSupport(format: ImageFormat, { isAnimated }: { isAnimated: boolean }): FormatSupport {
  const slug = SLUGS[format];
  const own = readSupport(slug, {
    ignored: isAnimated ? [] : (ANIMATION_NOTES[slug] ?? []),
    still: isAnimated ? (STILL_NOTES[slug] ?? []) : [],
  });
  if (format !== 'png' || !isAnimated) return own;
  // Whoever does not know animated PNGs takes them for plain ones.
  const animated = readSupport('image-apng', { ignored: [], still: [] });
  return { ...own, firstFrameOnly: animated.unsupported, source: animated.source };
}

/** Support of a `base` element, which completes relative addresses. */
export function baseSupport(): FormatSupport {
  return readSupport('html-base', { ignored: [], still: [] });
}

/** Support of images written into the message as `data:` URLs. */
export function inlineSupport(): FormatSupport {
  return readSupport('image-base64', { ignored: [], still: [] });
}

function readSupport(slug: string, notes: { ignored: readonly number[]; still: readonly number[] }): FormatSupport {
  const feature = featureOf(slug);
  const found: FormatSupport = {
    unsupported: [],
    partial: [],
    firstFrameOnly: [],
    knownCount: 0,
    source: `caniemail ${slug}, tested ${feature?.lastTestDate ?? 'never'}`,
  };
  for (const { displayName, support } of clients) {
    const level: Support = supportOf(slug, support!);
    if (level.level === 'u') continue;
    found.knownCount += 1;
    if (level.level === 'n') found.unsupported.push(displayName);
    const counting = level.notes.filter((note) => !notes.ignored.includes(note));
    if (level.level !== 'a' || (level.notes.length > 0 && counting.length === 0)) continue;
    if (counting.some((note) => notes.still.includes(note))) found.firstFrameOnly.push(displayName);
    const rest = counting.filter((note) => !notes.still.includes(note));
    if (rest.length > 0 || counting.length === 0)
      found.partial.push({ client: displayName, note: rest.map((note) => feature?.notes.get(note) ?? '').join(' ') });
  }
  return found;
}

/** What to tell somebody who is offered an image in another format; undefined when every known client shows it. */
export function supportWarning(format: ImageFormat, { isAnimated }: { isAnimated: boolean }): string | undefined {
  const { unsupported, knownCount, source } = formatSupport(format, { isAnimated });
  if (unsupported.length === 0) return undefined;
  const names =
    unsupported.length > 4
      ? `${unsupported.slice(0, 4).join(', ')} and ${unsupported.length - 4} more`
      : unsupported.join(', ');
  return `${unsupported.length} of ${knownCount} clients do not show it: ${names} (${source}).`;
}
