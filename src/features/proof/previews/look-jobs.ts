// Finds which pictures of a test look the same, and deletes their first screens: after they are made, when browsers have
// no more to do for it.
import { Type } from 'typebox';
import { looksAlike, packSample, sampleOf, SIZE_TOLERANCE, unpackSample } from '../../../platform/browser/index.ts';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { firstScreensPrefix, pictureKey, sampleKey, testPrefix } from './objects.ts';
import { listPictures, saveLooks, type MadePicture } from './pictures-store.ts';
import { findTestOfAnyone, isProcessing } from './store.ts';

/** Whether they may look alike, as far as their sizes tell. */
function isNear(one: MadePicture, other: MadePicture): boolean {
  return (['width', 'height'] as const).every(
    (side) => Math.abs(one[side] - other[side]) <= SIZE_TOLERANCE * Math.max(one[side], other[side]),
  );
}

/** The colors of a picture in few areas. Undefined: it is too long to be reduced whole, or gone. */
async function sampleOfPicture(
  { blobs }: Pick<Outside, 'blobs'>,
  testId: string,
  { key }: MadePicture,
): Promise<Buffer | undefined> {
  const kept = await blobs.get(sampleKey(testId, key));
  if (kept) return unpackSample(kept);
  const png = await blobs.get(pictureKey(testId, key, 'picture'));
  const sample = png && (await sampleOf(png));
  if (sample) await blobs.put(sampleKey(testId, key), await packSample(sample), 'application/octet-stream');
  return sample;
}

/**
 * The look of every picture that has none yet: the key of the first picture that it looks like, or its own. One whose
 * size no other has needs no second look.
 */
async function looksOf(
  outside: Pick<Outside, 'blobs'>,
  testId: string,
  { pictures, signal }: { pictures: readonly MadePicture[]; signal: AbortSignal },
): Promise<Record<string, string>> {
  const keys = new Set(pictures.map(({ key }) => key));
  const leaders = pictures.filter(({ key, look }) => look === key);
  const found: Record<string, string> = {};
  for (const picture of pictures.filter(({ look }) => look === null || !keys.has(look))) {
    signal.throwIfAborted();
    const near = leaders.filter((leader) => isNear(leader, picture));
    const sample = near.length > 0 ? await sampleOfPicture(outside, testId, picture) : undefined;
    found[picture.key] = picture.key;
    for (const leader of sample ? near : []) {
      const other = await sampleOfPicture(outside, testId, leader);
      if (!other || !looksAlike({ ...picture, sample: sample as Buffer }, { ...leader, sample: other })) continue;
      found[picture.key] = leader.key;
      break;
    }
    if (found[picture.key] === picture.key) leaders.push(picture);
  }
  return found;
}

/** Queued when no client of a test is in processing any more; what is still under way then queues it again. */
export const compareLooks = defineJob({
  name: 'previews.compare-looks',
  payload: Type.Object({ testId: Type.String() }),
  lane: 'quick',
  urgency: 'bulk',
  sameAs: ({ testId }) => testId,
  attempts: 5,
  timeoutMs: 120_000,
  async run(outside, { testId }, { signal }) {
    const { db, blobs } = outside;
    if (await isProcessing(db, testId)) return;
    await blobs.deleteAll(firstScreensPrefix(testId));
    const pictures = await listPictures(db, testId);
    await saveLooks(db, testId, await looksOf(outside, testId, { pictures, signal }));
    // Deleted meanwhile: nothing of it stays.
    if (!(await findTestOfAnyone(db, testId))) await blobs.deleteAll(testPrefix(testId));
  },
});
