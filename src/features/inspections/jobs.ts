import { Type } from 'typebox';
import { defineJob } from '../../platform/feature/index.ts';
import { objectsOf } from './objects.ts';
import { deleteExpired, findInspectionOfAnyone } from './store.ts';

const EXPIRED_AT_ONCE = 200;

/** Deletes the objects of deleted inspections. */
export const erase = defineJob({
  name: 'inspections.erase',
  payload: Type.Object({ ids: Type.Array(Type.String()) }),
  lane: 'quick',
  attempts: 10,
  timeoutMs: 60_000,
  async run({ db, blobs }, { ids }) {
    for (const id of ids) if (!(await findInspectionOfAnyone(db, id))) await blobs.deleteAll(objectsOf(id));
  },
});

/** Deletes inspections whose retention has ended, rows and objects. */
export const expire = defineJob({
  name: 'inspections.expire',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 600,
  async run({ db, jobs, clock }) {
    await db.tx(async (tx) => {
      const ids = await deleteExpired(tx, clock.now(), EXPIRED_AT_ONCE);
      if (ids.length) await jobs.enqueue(tx, erase, { payloads: [{ ids }] });
    });
    jobs.wake();
  },
});
