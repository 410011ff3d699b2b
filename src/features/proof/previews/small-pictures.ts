// Small pictures, JPEG at the addresses of results and WebP in the sizes that pages show: made when first asked for,
// then kept.
import { smallPicture as shrink } from '../../../platform/browser/index.ts';
import { isWholePicture } from '../../../platform/images/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { firstScreenKey, pictureKey, smallPictureKey, testPrefix } from './objects.ts';
import { findTestOfAnyone, type PreviewTest } from './store.ts';
import { Turns } from './turns.ts';

export type SmallKind = 'thumbnail' | 'full-thumbnail';

export const DEFAULT_WIDTHS: Record<SmallKind, number> = { thumbnail: 240, 'full-thumbnail': 320 };

export interface Small {
  kind: SmallKind;
  /** JPEGs have the default width of their kind. */
  format: 'jpeg' | 'webp';
  width: number;
}

interface Place {
  test: Pick<PreviewTest, 'id' | 'accountId'>;
  key: string;
}

/** Decoding takes threads that files are read by, too; a page asks for some dozens of pictures at once. */
const turns = new Turns({ atOnce: 2, waitingMax: 1000 });

/** Many ask for the same picture at once: it is made once. */
const underWay = new Map<string, Promise<Buffer | undefined>>();

function objectOf({ test, key }: Place, { kind, format, width }: Small): string {
  return format === 'jpeg'
    ? pictureKey(test.id, key, kind)
    : smallPictureKey({ testId: test.id, key }, { kind, width });
}

/** Undefined: the picture that it would be made of is not there. Throws `unavailable` where too many wait. */
export async function smallPicture(
  outside: Pick<Outside, 'db' | 'blobs'>,
  of: Place,
  small: Small,
): Promise<Buffer | undefined> {
  const object = objectOf(of, small);
  const kept = await outside.blobs.get(object);
  if (kept && isWholePicture(kept, small.format)) return kept;
  return once(object, of, () => make(outside, of, small));
}

function once(name: string, { test }: Place, work: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
  const known = underWay.get(name);
  if (known) return known;
  const begun = turns.run(test.accountId, work).finally(() => underWay.delete(name));
  underWay.set(name, begun);
  return begun;
}

/** A first screen in WebP, not kept: it is shown for some seconds. Undefined: it is not there. */
export async function smallFirstScreen(
  { blobs }: Pick<Outside, 'blobs'>,
  of: Place,
  width: number,
): Promise<Buffer | undefined> {
  const object = firstScreenKey(of.test.id, of.key);
  return once(`${object} ${width}`, of, async () => {
    const png = await blobs.get(object);
    return png && isWholePicture(png, 'png') ? shrink(png, { width, isWhole: true, format: 'webp' }) : undefined;
  });
}

async function make(
  { db, blobs }: Pick<Outside, 'db' | 'blobs'>,
  of: Place,
  small: Small,
): Promise<Buffer | undefined> {
  const { id } = of.test;
  const png = await blobs.get(pictureKey(id, of.key, 'picture'));
  if (!png || !isWholePicture(png, 'png')) return undefined;
  const made = await shrink(png, {
    width: small.width,
    isWhole: small.kind === 'full-thumbnail',
    format: small.format,
  });
  await blobs.put(objectOf(of, small), made, `image/${small.format}`);
  // Deleted meanwhile: nothing of it stays.
  if (!(await findTestOfAnyone(db, id))) await blobs.deleteAll(testPrefix(id));
  return made;
}
