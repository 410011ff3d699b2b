// Finds the picture that a new one of the same test looks like, and keeps what later ones are held against.
import { looksAlike, packSample, unpackSample } from '../../../platform/browser/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { sampleKey } from './objects.ts';
import { listLeaders } from './pictures-store.ts';

interface MadePicture {
  key: string;
  picture: { width: number; height: number };
  /** Of `thumbnailsOf`. */
  sample: Buffer | undefined;
}

/**
 * The key of the first picture of the test that this one looks like; its own when it looks like none, and then its
 * sample is kept. Two that are made at the same moment may each become the first of one look.
 */
export async function findLook(
  { db, blobs }: Pick<Outside, 'db' | 'blobs'>,
  testId: string,
  { key, picture, sample }: MadePicture,
): Promise<string> {
  if (!sample) return key;
  const own = { ...picture, sample };
  for (const leader of await listLeaders(db, testId, { key, picture })) {
    const kept = await blobs.get(sampleKey(testId, leader.key));
    if (kept && looksAlike(own, { ...leader, sample: await unpackSample(kept) })) return leader.key;
  }
  await blobs.put(sampleKey(testId, key), await packSample(sample), 'application/octet-stream');
  return key;
}
