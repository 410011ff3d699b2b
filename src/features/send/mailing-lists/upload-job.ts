import { Type } from 'typebox';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { writeMembers } from './member-store.ts';
import { takeTurn } from './turns.ts';
import { addWritten, findAnyUpload, finishUpload, takePart } from './upload-store.ts';

/** Writes the next members of an upload; false: there is nothing left to do. */
function writeNext({ db, clock }: Pick<Outside, 'db' | 'clock'>, uploadId: string): Promise<boolean> {
  return db.tx(async (tx) => {
    const upload = await findAnyUpload(tx, uploadId);
    if (!upload || upload.finishedAt) return false;
    const now = clock.now();
    const entries = await takePart(tx, uploadId);
    if (entries === undefined) {
      await finishUpload(tx, uploadId, now);
      return false;
    }
    const { listId, accountId, isUpsert, isSubscribed } = upload;
    const list = { id: listId, accountId };
    const written = await writeMembers(tx, list, { entries, isUpsert, isSubscribed, now });
    if (!written) return false;
    const count = (JSON.parse(entries) as unknown[]).length;
    await addWritten(tx, uploadId, { ...written, kept: count - written.added - written.updated });
    return true;
  });
}

/** Writes the members of an upload, a thousand in a transaction: cut off, it goes on where it was. */
export const writeUpload = defineJob({
  name: 'mailing-lists.upload',
  payload: Type.Object({ uploadId: Type.String() }),
  lane: 'quick',
  attempts: 10,
  timeoutMs: 600_000,
  run: (outside, { uploadId }, { signal }) =>
    takeTurn({
      signal,
      step: () => writeNext(outside, uploadId),
      async again() {
        const { db, jobs } = outside;
        const upload = await findAnyUpload(db, uploadId);
        if (!upload) return;
        await jobs.enqueue(db, writeUpload, { payloads: [{ uploadId }], account: upload.accountId });
        jobs.wake();
      },
    }),
});
