import { Type } from 'typebox';
import type { Sql } from '../db/index.ts';
import { defineJob, SERVICE, type Outside } from './index.ts';

/** Records that are kept for a time, and the objects that belong to them. */
interface Retained {
  /** Of the feature: its jobs are `<name>.erase` and `<name>.expire`. */
  name: string;
  /** Where the objects of a record lie. */
  objectsOf(id: string): string;
  isThere(db: Sql, id: string): Promise<boolean>;
  /** Deletes records whose time has ended, at most so many, and answers their ids. */
  deleteExpired(tx: Sql, now: Date, limit: number): Promise<string[]>;
  /** Lets go of what else a record held. Safe to run twice. */
  erased?(outside: Outside, id: string): Promise<void>;
}

const EXPIRED_AT_ONCE = 200;

/** The jobs that delete the objects of deleted records, and records whose retention has ended. */
export function defineRetention({ name, objectsOf, isThere, deleteExpired, erased }: Retained) {
  const erase = defineJob({
    name: `${name}.erase`,
    payload: Type.Object({ ids: Type.Array(Type.String()) }),
    lane: 'quick',
    urgency: 'bulk',
    attempts: 10,
    timeoutMs: 60_000,
    async run(outside, { ids }) {
      for (const id of ids) {
        if (await isThere(outside.db, id)) continue;
        await outside.blobs.deleteAll(objectsOf(id));
        await erased?.(outside, id);
      }
    },
  });
  const expire = defineJob({
    name: `${name}.expire`,
    payload: Type.Object({}),
    lane: 'quick',
    attempts: 1,
    timeoutMs: 300_000,
    everySeconds: 600,
    async run({ db, jobs, clock }) {
      await db.tx(async (tx) => {
        const ids = await deleteExpired(tx, clock.now(), EXPIRED_AT_ONCE);
        if (ids.length) await jobs.enqueue(tx, erase, { payloads: [{ ids }], account: SERVICE });
      });
      jobs.wake();
    },
  });
  return { erase, expire };
}
