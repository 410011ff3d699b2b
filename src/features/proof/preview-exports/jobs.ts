import { Zip, ZipPassThrough } from 'fflate';
import { Type } from 'typebox';
import { defineJob, Hopeless, type Outside } from '../../../platform/feature/index.ts';
import { isWholePicture } from '../../../platform/images/index.ts';
import { findTestOfAnyone, listResults, listShots, pictureKey, testPrefix } from '../previews/index.ts';
import { endExport, findExportById, type PreviewExport } from './store.ts';

/** The longer an export has waited, the less often it is checked. */
const LOOK_AGAIN_SECONDS = { min: 1, max: 15 };

function lookAgainAfter(made: PreviewExport, now: Date): number {
  const waitedSeconds = (now.getTime() - made.createdAt.getTime()) / 1000;
  return Math.min(LOOK_AGAIN_SECONDS.max, Math.max(LOOK_AGAIN_SECONDS.min, Math.round(waitedSeconds / 8)));
}

const SLICE_BYTES = 1024 * 1024;

/** Below the test's own prefix, so that deleting the test deletes it too. */
export function zipKey(made: Pick<PreviewExport, 'id' | 'testId'>): string {
  return `${testPrefix(made.testId)}/exports/${made.id}.zip`;
}

interface ZipEntry {
  name: string;
  body: () => Promise<Buffer>;
}

/** Entries are stored as they are: PNG is compressed already. */
async function zipOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const entry of entries) {
    const file = new ZipPassThrough(entry.name);
    zip.add(file);
    const body = await entry.body();
    // Its check sum is computed here: others have their turn between.
    for (let at = 0; at < body.length; at += SLICE_BYTES) {
      file.push(body.subarray(at, at + SLICE_BYTES), false);
      await new Promise((resolve) => void setImmediate(resolve));
    }
    file.push(new Uint8Array(0), true);
  }
  zip.end();
  return Buffer.concat(chunks);
}

async function entriesOf(
  { db, blobs }: Pick<Outside, 'db' | 'blobs'>,
  made: PreviewExport,
  clientIds: readonly string[],
): Promise<ZipEntry[]> {
  const shots = await listShots(db, made.testId);
  return shots
    .filter((shot) => clientIds.includes(shot.clientId) && shot.picture)
    .map((shot) => ({
      name: `${shot.clientId}/${shot.shot}.png`,
      body: async () => {
        const picture = await blobs.get(pictureKey(made.testId, shot.key, 'picture'));
        if (!picture || !isWholePicture(picture, 'png'))
          throw new Hopeless(
            `the stored ${shot.shot} picture of ${shot.clientId} is ${picture ? 'damaged' : 'missing'}; ` +
              'reprocess that client first',
          );
        return picture;
      },
    }));
}

/** Waits for the clients by queueing itself again, then stores the zip. */
export const zipExport = defineJob({
  name: 'preview-exports.zip',
  payload: Type.Object({ exportId: Type.String() }),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 5,
  timeoutMs: 120_000,
  async run(outside, { exportId }) {
    const { db, blobs, jobs, clock } = outside;
    const made = await findExportById(db, exportId);
    if (made?.status !== 'Processing') return;
    const test = await findTestOfAnyone(db, made.testId);
    if (!test) return;
    const results = (await listResults(db, test.accountId, made.testId)).filter((result) =>
      made.clientIds.includes(result.clientId),
    );
    // Every client is completed or bounced in the end, however long the queue is.
    if (results.some((result) => result.status === 'processing')) {
      await jobs.enqueue(db, zipExport, {
        payloads: [{ exportId }],
        account: test.accountId,
        startAfterSeconds: lookAgainAfter(made, clock.now()),
      });
      return;
    }
    const ready = results.filter((result) => result.status === 'completed').map((result) => result.clientId);
    const failedClientIds = made.clientIds.filter((id) => !ready.includes(id));
    if (!ready.length) {
      await endExport(db, made.id, {
        status: 'Failed',
        failedClientIds,
        error: 'None of the clients has a screenshot.',
      });
      return;
    }
    await blobs.put(zipKey(made), await zipOf(await entriesOf(outside, made, ready)), 'application/zip');
    await endExport(db, made.id, { status: 'Complete', failedClientIds, error: null });
    // The test was deleted, and its exports with it, so the file that was just written has no owner.
    if (!(await findExportById(db, made.id))) await blobs.deleteAll(testPrefix(made.testId));
  },
  async gaveUp({ db }, { exportId }, { reason }) {
    const made = await findExportById(db, exportId);
    if (made)
      await endExport(db, made.id, {
        status: 'Failed',
        failedClientIds: made.clientIds,
        error: `The zip could not be made: ${reason}`,
      });
  },
});
