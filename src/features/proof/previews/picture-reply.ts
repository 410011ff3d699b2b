// The answer with a picture, whichever address it was asked at.
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { isWholePicture } from '../../../platform/images/index.ts';
import { firstScreenKey, pictureKey } from './objects.ts';
import { findShot } from './pictures-store.ts';
import { DEFAULT_WIDTHS, smallFirstScreen, smallPicture, type Small, type SmallKind } from './small-pictures.ts';
import { sharpPart } from './sharp.ts';
import type { PreviewTest } from './store.ts';

const FILE = /^(\w+)(?:\.(thumbnail|full-thumbnail|first-screen|sharp)(?:-(\d{1,3}))?)?\.(png|jpg|webp)$/;
const ENDINGS: Record<string, readonly string[]> = {
  picture: ['png'],
  thumbnail: ['jpg', 'webp'],
  'full-thumbnail': ['jpg', 'webp'],
  'first-screen': ['png', 'webp'],
  sharp: ['png'],
};

export interface WantedPicture {
  clientId: string;
  /** `default.png`, `default.thumbnail.jpg`. */
  file: string;
  isDownload: boolean;
  /** Of a small picture in WebP. */
  width?: `${number}` | undefined;
}

interface Asked {
  kind: string;
  ending: string;
  width?: number | undefined;
}

interface Found {
  body: Buffer | undefined;
  type: 'png' | 'jpeg' | 'webp';
}

/** Undefined: the picture itself is asked for. Of a whole picture the first screen is the top, or all of it. */
function smallOf({ kind, ending, width }: Asked): Small | undefined {
  if (ending === 'png') return undefined;
  const small: SmallKind = kind === 'full-thumbnail' ? kind : 'thumbnail';
  return { kind: small, format: ending === 'webp' ? 'webp' : 'jpeg', width: width ?? DEFAULT_WIDTHS[small] };
}

type Place = Parameters<typeof smallPicture>[1];

async function wholeOrSmall(ctx: Pick<Context, 'db' | 'blobs'>, place: Place, asked: Asked): Promise<Found> {
  const small = smallOf(asked);
  return {
    type: small?.format ?? 'png',
    body: small
      ? await smallPicture(ctx, place, small)
      : await ctx.blobs.get(pictureKey(place.test.id, place.key, 'picture')),
  };
}

async function firstScreen(ctx: Pick<Context, 'blobs'>, place: Place, { ending, width }: Asked): Promise<Found> {
  return ending === 'webp'
    ? { type: 'webp', body: await smallFirstScreen(ctx, place, width ?? DEFAULT_WIDTHS.thumbnail) }
    : { type: 'png', body: await ctx.blobs.get(firstScreenKey(place.test.id, place.key)) };
}

type Wanted = WantedPicture & { test: Pick<PreviewTest, 'id' | 'accountId'> };

/**
 * A picture of a test, for a caller who holds an address of it. Throws `not_found`, `too_early` while it is being made,
 * or `damaged`.
 */
export async function pictureReply(
  ctx: Pick<Context, 'db' | 'blobs' | 'jobs' | 'headers'>,
  wanted: Wanted,
  isAgain = false,
): Promise<HttpReply> {
  const [, shot = '', kind = 'picture', part, ending = ''] = FILE.exec(wanted.file) ?? [];
  const missing = notFound('picture', wanted.file);
  if (!ENDINGS[kind]?.includes(ending) || (part !== undefined) !== (kind === 'sharp')) throw missing;
  if (wanted.width !== undefined && ending !== 'webp')
    throw invalid('width', 'goes with an address that ends in .webp.');
  const found = await findShot(ctx.db, { testId: wanted.test.id, clientId: wanted.clientId, shot });
  if (!found || found.status === 'bounced' || (found.key === null && found.status === 'completed')) throw missing;
  const isTop = kind === 'first-screen' && !found.picture;
  if (!found.key || !(isTop ? found.firstScreen : found.picture))
    throw new AppError('too_early', 'This picture is not ready yet.', { headers: { 'retry-after': '2' } });
  if (part !== undefined && found.picture) {
    const { height } = found.picture;
    return sharpReply(ctx, wanted, { key: found.key, shot, height, part: Number(part) });
  }
  const asked: Asked = { kind, ending, width: wanted.width && Number(wanted.width) };
  const etag = etagOf({ key: found.key, isTop }, asked);
  if (ctx.headers['if-none-match'] === etag) return new HttpReply('', { etag }, 304);
  const place = { test: wanted.test, key: found.key };
  const { body, type } = await (isTop ? firstScreen(ctx, place, asked) : wholeOrSmall(ctx, place, asked));
  // The whole picture has come in between, and its first screen is gone.
  if (isTop && !body && !isAgain) return pictureReply(ctx, wanted, true);
  if (!body || !isWholePicture(body, type)) {
    throw new AppError(
      'damaged',
      `The stored picture ${wanted.file} is ${body ? 'damaged' : 'missing'}; reprocess the client to make it again.`,
    );
  }
  return new HttpReply(body, headersOf(wanted, { type, etag, body }));
}

function headersOf(
  wanted: Wanted,
  { type, etag, body }: { type: string; etag: string; body: Buffer },
): Record<string, string> {
  return {
    'content-type': `image/${type}`,
    'content-length': String(body.length),
    // A reprocessed picture keeps its address.
    'cache-control': 'private, max-age=0, must-revalidate',
    etag,
    ...(wanted.isDownload && { 'content-disposition': `attachment; filename="${wanted.clientId}-${wanted.file}"` }),
  };
}

/** A part with the pixels of the screen, and how high the message is at them: it may differ from the whole picture. */
async function sharpReply(
  ctx: Pick<Context, 'db' | 'blobs' | 'jobs' | 'headers'>,
  wanted: Wanted,
  { key, shot, height, part }: { key: string; shot: string; height: number; part: number },
): Promise<HttpReply> {
  const { test, clientId } = wanted;
  const { body, contentHeight, pixelRatio } = await sharpPart(ctx, { test, clientId, key, shot, height, part });
  const etag = `"${key}-at-${pixelRatio}-${part}"`;
  const size = { 'galley-content-height': String(contentHeight), 'galley-pixel-ratio': String(pixelRatio) };
  if (ctx.headers['if-none-match'] === etag) return new HttpReply('', { etag, ...size }, 304);
  return new HttpReply(body, { ...headersOf(wanted, { type: 'png', etag, body }), ...size });
}

function etagOf({ key, isTop }: { key: string; isTop: boolean }, { kind, ending, width }: Asked): string {
  const size = ending === 'webp' ? `-${width ?? DEFAULT_WIDTHS[kind as SmallKind] ?? DEFAULT_WIDTHS.thumbnail}` : '';
  return `"${key}-${kind}${kind === 'first-screen' && !isTop ? '-whole' : ''}${size}"`;
}
