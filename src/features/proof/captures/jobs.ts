import { Type } from 'typebox';
import { ComputeError } from '../../../platform/compute/index.ts';
import { defineJob, Hopeless, type Outside } from '../../../platform/feature/index.ts';
import { isWholePicture } from '../../../platform/images/index.ts';
import {
  findTestOfAnyone,
  listResults,
  listShots,
  pictureKey as previewKey,
  profileOf,
  testPrefix,
} from '../previews/index.ts';
import { compareCaptured } from './computations.ts';
import { pictureKey } from './objects.ts';
import { findCaptureOfAnyone, saveComparison, type Capture, type StoredComparison } from './store.ts';

/** How long until the preview is looked for again. */
const LOOK_AGAIN_SECONDS = 5;

interface Preview {
  png: Buffer;
  previewFidelity: StoredComparison['previewFidelity'];
  previewEngine: string;
}

/** The preview that a capture is held against. `waiting`: it is still being made. Throws {@link Hopeless}. */
async function previewOf(
  { db, blobs }: Pick<Outside, 'db' | 'blobs'>,
  { accountId, testId, clientId }: Capture,
): Promise<Preview | 'waiting'> {
  const result = (await listResults(db, accountId, testId)).find((one) => one.clientId === clientId);
  if (result?.status === 'processing') return 'waiting';
  const shots = await listShots(db, testId);
  const shot = shots.find((one) => one.clientId === clientId && one.shot === 'default');
  if (!shot?.picture) throw new Hopeless('The test has no preview of this client.');
  const png = await blobs.get(previewKey(testId, shot.key, 'picture'));
  if (!png || !isWholePicture(png, 'png')) throw new Hopeless('The preview of this client is missing or damaged.');
  const { engine, fidelity } = profileOf(clientId);
  return {
    png,
    previewFidelity: shot.picture.engine === engine ? fidelity : 'emulated',
    previewEngine: shot.picture.engineVersion,
  };
}

/** Holds a capture against the preview, and keeps the pair. */
export const compare = defineJob({
  name: 'captures.compare',
  payload: Type.Object({ captureId: Type.String() }),
  lane: 'quick',
  attempts: 3,
  timeoutMs: 120_000,
  async run({ db, blobs, jobs, clock, compute }, { captureId }) {
    const capture = await findCaptureOfAnyone(db, captureId);
    if (!capture || capture.comparedAt) return;
    const preview = await previewOf({ db, blobs }, capture);
    if (preview === 'waiting') {
      const again = { payloads: [{ captureId }], account: capture.accountId, startAfterSeconds: LOOK_AGAIN_SECONDS };
      await jobs.enqueue(db, compare, again);
      return;
    }
    const captured = await blobs.get(pictureKey(capture, 'captured'));
    if (!captured) throw new Hopeless('The picture that was captured is missing.');
    const { png, ...about } = preview;
    const { likeness, difference } = await compute
      .run(compareCaptured, { captured, preview: png })
      .catch((error: unknown): never => {
        throw error instanceof ComputeError && error.isOverrun
          ? new Hopeless('The pictures are too large to compare.', { cause: error })
          : error;
      });
    await blobs.put(pictureKey(capture, 'preview'), png, 'image/png');
    await blobs.put(pictureKey(capture, 'difference'), Buffer.from(difference), 'image/png');
    await saveComparison(db, {
      id: capture.id,
      comparedAt: clock.now(),
      comparison: { ...likeness, ...about },
      comparisonProblem: null,
    });
    // The test was deleted meanwhile, so what was just written has no owner.
    if (!(await findTestOfAnyone(db, capture.testId))) await blobs.deleteAll(testPrefix(capture.testId));
  },
  async gaveUp({ db, clock }, { captureId }, { reason }) {
    await saveComparison(db, {
      id: captureId,
      comparedAt: clock.now(),
      comparison: null,
      comparisonProblem: `It could not be compared: ${reason}`,
    });
  },
});
