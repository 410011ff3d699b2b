// Small pictures in WebP, of the sizes that pages show: made when first asked for, then kept.
import { webpThumbnail } from '../../../platform/browser/index.ts';
import { isWholePicture } from '../../../platform/images/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { pictureKey, smallPictureKey, testPrefix } from './objects.ts';
import { findTestOfAnyone } from './store.ts';

export type SmallKind = 'thumbnail' | 'full-thumbnail';

export const DEFAULT_WIDTHS: Record<SmallKind, number> = { thumbnail: 240, 'full-thumbnail': 320 };

interface Small {
  kind: SmallKind;
  width: number;
}

/** Many ask for the same picture at once: it is made once. */
const underWay = new Map<string, Promise<Buffer | undefined>>();

/** Undefined: the picture that it would be made of is not there. */
export async function smallPicture(
  outside: Pick<Outside, 'db' | 'blobs'>,
  of: { testId: string; key: string },
  small: Small,
): Promise<Buffer | undefined> {
  const key = smallPictureKey(of, small);
  const kept = await outside.blobs.get(key);
  if (kept && isWholePicture(kept, 'webp')) return kept;
  const known = underWay.get(key);
  if (known) return known;
  const work = make(outside, of, small).finally(() => underWay.delete(key));
  underWay.set(key, work);
  return work;
}

async function make(
  { db, blobs }: Pick<Outside, 'db' | 'blobs'>,
  of: { testId: string; key: string },
  small: Small,
): Promise<Buffer | undefined> {
  const png = await blobs.get(pictureKey(of.testId, of.key, 'picture'));
  if (!png || !isWholePicture(png, 'png')) return undefined;
  const webp = await webpThumbnail(png, { width: small.width, isWhole: small.kind === 'full-thumbnail' });
  await blobs.put(smallPictureKey(of, small), webp, 'image/webp');
  // Deleted meanwhile: nothing of it stays.
  if (!(await findTestOfAnyone(db, of.testId))) await blobs.deleteAll(testPrefix(of.testId));
  return webp;
}
