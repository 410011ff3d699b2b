import { Type } from 'typebox';
import type { Sql } from '../db/index.ts';
import { daysAfter } from '../times/index.ts';
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
  /** Before that, in its transaction: tells what their end changes. */
  tellExpiring?(outside: Pick<Outside, 'facts'>, tx: Sql, expiring: { now: Date; limit: number }): Promise<void>;
  /** Lets go of what else a record held. Safe to run twice. */
  erased?(outside: Outside, id: string): Promise<void>;
}

interface Expiry {
  /** `feature.expire`, a literal. */
  name: string;
  everySeconds: number;
  /** Deletes what is no longer kept. Safe to run twice, and beside itself. */
  run(outside: Outside, signal: AbortSignal): Promise<void>;
}

/** The job that deletes what is no longer kept, at an interval; what it leaves is for the next time. */
export function defineExpiry({ name, everySeconds, run }: Expiry) {
  return defineJob({
    name,
    payload: Type.Object({}),
    lane: 'quick',
    attempts: 1,
    timeoutMs: 300_000,
    everySeconds,
    run: (outside, _payload, { signal }) => run(outside, signal),
  });
}

const EXPIRED_AT_ONCE = 200;

/** The jobs that delete the objects of deleted records, and records whose retention has ended. */
export function defineRetention({ name, objectsOf, isThere, deleteExpired, tellExpiring, erased }: Retained) {
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
  const expire = defineExpiry({
    name: `${name}.expire`,
    everySeconds: 600,
    async run({ db, jobs, clock, facts }) {
      const now = clock.now();
      await db.tx(async (tx) => {
        await tellExpiring?.({ facts }, tx, { now, limit: EXPIRED_AT_ONCE });
        const ids = await deleteExpired(tx, now, EXPIRED_AT_ONCE);
        if (ids.length) await jobs.enqueue(tx, erase, { payloads: [{ ids }], account: SERVICE });
      });
      jobs.wake();
    },
  });
  return { erase, expire };
}

/** Rows that are kept for some days and hold nothing outside the database. */
interface Aging {
  /** Of the feature: its job is `<name>.expire`. */
  name: string;
  days: number;
  /** Deletes what is older, at most so many rows, and answers how many. */
  deleteOld(tx: Sql, before: Date, limit: number): Promise<number>;
  /** Deletes what only those rows needed. */
  afterwards?(db: Sql, before: Date): Promise<void>;
}

const AGED_AT_ONCE = 1000;

/** The job that deletes rows that are older than so many days, each thousand in a transaction of its own. */
export function defineAging({ name, days, deleteOld, afterwards }: Aging) {
  return defineExpiry({
    name: `${name}.expire`,
    everySeconds: 600,
    async run({ db, clock }, signal) {
      const before = daysAfter(clock.now(), -days);
      let count = AGED_AT_ONCE;
      while (count === AGED_AT_ONCE && !signal.aborted)
        count = await db.tx((tx) => deleteOld(tx, before, AGED_AT_ONCE));
      await afterwards?.(db, before);
    },
  });
}
