import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { writeNextPart } from './store.ts';

/** Writes the entries of an uploaded file, some thousands in a transaction: cut off, it goes on where it was. */
export const writeImport = defineJob({
  name: 'suppressions.import',
  payload: Type.Object({ importId: Type.String() }),
  lane: 'quick',
  attempts: 10,
  timeoutMs: 600_000,
  async run({ db, clock }, { importId }, { signal }) {
    while (!signal.aborted && (await db.tx((tx) => writeNextPart(tx, importId, clock.now()))));
    signal.throwIfAborted();
  },
});
