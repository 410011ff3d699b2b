// The logo of a sender's domain: what DNS says of it, and the picture.
import { findPublishedLogo, type PublishedLogo } from '../../../engines/mail-authentication/index.ts';
import { destinationOf } from '../../../engines/mime/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { drawSvg } from '../../../platform/images/index.ts';

export interface FoundLogo extends PublishedLogo {
  /** Undefined where the message names no sender. */
  domain?: string;
  /** A PNG. Undefined: there is none, or it can't be had. */
  picture?: Buffer;
}

const LOOK_UP_MS = 4_000;
const SVG_BYTES_MAX = 256 * 1024;
const PICTURE_WIDTH = 96;
const PICTURE_BYTES_MAX = 200_000;
const KEPT_MS = 600_000;
const KEPT_MAX = 50;

/** Pictures of the last minutes by address: an account looks at its inbox again and again. */
const kept = new Map<string, { until: number; picture: Promise<Buffer | undefined> }>();

/** Never rejects for what DNS or a server answers. Takes a few seconds at most, besides the picture. */
export async function findLogo(
  outside: Pick<Outside, 'dns' | 'fetch' | 'clock'>,
  address: string | undefined,
): Promise<FoundLogo> {
  const domain = address?.includes('@') ? destinationOf(address) : undefined;
  if (domain === undefined) return { result: 'unknown' };
  const { promise: late, resolve } = Promise.withResolvers<PublishedLogo>();
  const timer = setTimeout(() => resolve({ result: 'unknown' }), LOOK_UP_MS);
  const found = await Promise.race([findPublishedLogo(domain, outside.dns), late]).finally(() => clearTimeout(timer));
  if (found.logoUrl === undefined) return { ...found, domain };
  const picture = await pictureAt(outside, found.logoUrl);
  return { ...found, domain, ...(picture && { picture }) };
}

function pictureAt({ fetch, clock }: Pick<Outside, 'fetch' | 'clock'>, url: string): Promise<Buffer | undefined> {
  const now = clock.now().getTime();
  const before = kept.get(url);
  if (before && before.until > now) return before.picture;
  const picture = drawLogo(fetch, url);
  kept.delete(url);
  kept.set(url, { until: now + KEPT_MS, picture });
  picture.catch(() => kept.delete(url));
  for (const one of kept.keys()) {
    if (kept.size <= KEPT_MAX) break;
    kept.delete(one);
  }
  return picture;
}

async function drawLogo(fetch: Outside['fetch'], url: string): Promise<Buffer | undefined> {
  const answer = await fetch.request(url, {
    sizeBytesMax: SVG_BYTES_MAX,
    timeoutMs: LOOK_UP_MS,
    accept: 'image/svg+xml',
  });
  if (!answer.ok || answer.status !== 200) return undefined;
  const drawn = await drawSvg(answer.body, { width: PICTURE_WIDTH, timeoutMs: LOOK_UP_MS });
  return drawn && drawn.length <= PICTURE_BYTES_MAX ? drawn : undefined;
}
