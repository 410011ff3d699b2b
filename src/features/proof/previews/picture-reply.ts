// The answer with a picture, whichever address it was asked at.
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { isWholePicture } from '../../../platform/images/index.ts';
import { pictureKey } from './objects.ts';
import { findShot } from './pictures-store.ts';
import { DEFAULT_WIDTHS, smallPicture, type Small, type SmallKind } from './small-pictures.ts';
import type { PreviewTest } from './store.ts';

const FILE = /^(\w+)(?:\.(thumbnail|full-thumbnail))?\.(png|jpg|webp)$/;

export interface WantedPicture {
  clientId: string;
  /** `default.png`, `default.thumbnail.jpg`. */
  file: string;
  isDownload: boolean;
  /** Of a small picture in WebP. */
  width?: `${number}` | undefined;
}

/** Undefined: the picture itself is asked for. */
function smallOf(kind: string, { ending, width }: { ending: string | undefined } & Pick<WantedPicture, 'width'>) {
  if (width !== undefined && ending !== 'webp') throw invalid('width', 'goes with an address that ends in .webp.');
  if (kind === 'picture') return undefined;
  const small: Small = {
    kind: kind as SmallKind,
    format: ending === 'webp' ? 'webp' : 'jpeg',
    width: Number(width ?? DEFAULT_WIDTHS[kind as SmallKind]),
  };
  return small;
}

/**
 * A picture of a test, for a caller who holds an address of it. Throws `not_found`, `too_early` while it is being made,
 * or `damaged`.
 */
export async function pictureReply(
  ctx: Pick<Context, 'db' | 'blobs' | 'headers'>,
  wanted: WantedPicture & { test: Pick<PreviewTest, 'id' | 'accountId'> },
): Promise<HttpReply> {
  const [, shot = '', kind = 'picture', ending] = FILE.exec(wanted.file) ?? [];
  const missing = notFound('picture', wanted.file);
  if ((kind === 'picture') !== (ending === 'png')) throw missing;
  const found = await findShot(ctx.db, { testId: wanted.test.id, clientId: wanted.clientId, shot });
  if (!found || found.status === 'bounced' || (found.key === null && found.status === 'completed')) throw missing;
  if (!found.key || !found.picture)
    throw new AppError('too_early', 'This picture is not ready yet.', { headers: { 'retry-after': '2' } });
  const small = smallOf(kind, { ending, width: wanted.width });
  const etag = `"${found.key}-${kind}${small?.format === 'webp' ? `-${small.width}` : ''}"`;
  if (ctx.headers['if-none-match'] === etag) return new HttpReply('', { etag }, 304);
  const type = small?.format ?? 'png';
  const body = small
    ? await smallPicture(ctx, { test: wanted.test, key: found.key }, small)
    : await ctx.blobs.get(pictureKey(wanted.test.id, found.key, 'picture'));
  if (!body || !isWholePicture(body, type)) {
    throw new AppError(
      'damaged',
      `The stored picture ${wanted.file} is ${body ? 'damaged' : 'missing'}; reprocess the client to make it again.`,
    );
  }
  return new HttpReply(body, {
    'content-type': `image/${type}`,
    'content-length': String(body.length),
    // A reprocessed picture keeps its address.
    'cache-control': 'private, max-age=0, must-revalidate',
    etag,
    ...(wanted.isDownload && { 'content-disposition': `attachment; filename="${wanted.clientId}-${wanted.file}"` }),
  });
}
