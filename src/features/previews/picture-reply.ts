// The answer with a picture, whichever address it was asked at.
import { AppError, notFound } from '../../platform/errors/index.ts';
import type { Context } from '../../platform/feature/index.ts';
import { HttpReply } from '../../platform/http/index.ts';
import { isWholePicture } from '../../platform/images/index.ts';
import { pictureKey, type PictureFile } from './objects.ts';
import { findShot } from './pictures-store.ts';

const FILE = /^(\w+)(?:\.(thumbnail|full-thumbnail))?\.(png|jpg)$/;

export interface WantedPicture {
  clientId: string;
  /** `default.png`, `default.thumbnail.jpg`. */
  file: string;
  isDownload: boolean;
}

/** A picture of a test, for a caller who holds an address of it. Throws `not_found`, `too_early` while it is being made, or `damaged`. */
export async function pictureReply(ctx: Context, wanted: WantedPicture & { testId: string }): Promise<HttpReply> {
  const [, shot = '', kind = 'picture', ending] = FILE.exec(wanted.file) ?? [];
  const missing = notFound('picture', wanted.file);
  if ((kind === 'picture') !== (ending === 'png')) throw missing;
  const found = await findShot(ctx.db, { testId: wanted.testId, clientId: wanted.clientId, shot });
  if (!found || found.status === 'bounced' || (found.key === null && found.status === 'completed')) throw missing;
  if (!found.key || !found.picture) throw new AppError('too_early', 'This picture is not ready yet.', { headers: { 'retry-after': '2' } });
  const etag = `"${found.key}-${kind}"`;
  if (ctx.headers['if-none-match'] === etag) return new HttpReply('', { etag }, 304);
  const type = ending === 'png' ? 'png' : 'jpeg';
  const body = await ctx.blobs.get(pictureKey(wanted.testId, found.key, kind as PictureFile));
  if (!body || !isWholePicture(body, type)) {
    throw new AppError('damaged', `The stored picture ${wanted.file} is ${body ? 'damaged' : 'missing'}; reprocess the client to make it again.`);
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
