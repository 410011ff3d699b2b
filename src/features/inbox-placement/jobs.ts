import { Type } from 'typebox';
import { defineJob } from '../../platform/feature/index.ts';
import { placements } from './deliveries.ts';
import { deleteExpiredResults, findResultOfAnyone } from './results-store.ts';

const EXPIRED_AT_ONCE = 200;

/** Deletes the messages of deleted results. */
export const erase = defineJob({
  name: 'placement.erase',
  payload: Type.Object({ ids: Type.Array(Type.String()) }),
  lane: 'quick',
  attempts: 10,
  timeoutMs: 60_000,
  async run({ db, blobs }, { ids }) {
    for (const id of ids) if (!(await findResultOfAnyone(db, id))) await blobs.deleteAll(`placements/${id}`);
  },
});

/** Deletes results whose retention has ended, with everything of them. */
export const expire = defineJob({
  name: 'placement.expire',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 600,
  async run({ db, jobs, clock }) {
    await db.tx(async (tx) => {
      const ids = await deleteExpiredResults(tx, clock.now(), EXPIRED_AT_ONCE);
      if (ids.length === 0) return;
      await placements.forget(tx, ids);
      await jobs.enqueue(tx, erase, { payloads: [{ ids }] });
    });
    jobs.wake();
  },
});
