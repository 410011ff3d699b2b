// Background work: declared by features, queued in the caller's transaction, run in lanes that accounts share fairly.
import type { Static, TSchema } from 'typebox';
import type { Sql } from '../db/index.ts';
import { migrationsIn } from '../feature/migrations-in.ts';
import { adoptOldQueue } from './adopt.ts';
import type { JobName, Urgency } from './declare.ts';
import { countJobs, insertJobs, isAnyDue, isOtherDue, listParts, loseAll, type Part } from './store.ts';
import { Workers, type WorkersOptions } from './workers.ts';

export { defineJob, Hopeless, type Job, type JobFailure, type JobName, type JobTurn, type Lane } from './declare.ts';

/** Whose work it is that belongs to no account, such as deleting what is past its time. */
export const SERVICE = 'service';

interface Enqueue {
  /** The account that the work is done for, or `SERVICE`: accounts share a lane by what their jobs take of it. */
  account: string;
  /** Default: what the job declares. */
  urgency?: Urgency;
  startAfterSeconds?: number;
}

export interface Jobs {
  /** Queues a job for each payload, inside the caller's transaction when `on` is one. */
  enqueue<Payload extends TSchema>(
    on: Sql,
    job: JobName<Payload>,
    work: { payloads: readonly Static<Payload>[] } & Enqueue,
  ): Promise<void>;
  /** Tells this process's workers to look now instead of at the next poll. Call it after the commit. */
  wake(): void;
  /** Jobs waiting or under way, by name. */
  counts(): Promise<Record<string, number>>;
  /** Jobs waiting or under way that are part of these things, see `Job.partOf`. */
  listParts(on: Sql, things: readonly string[]): Promise<Part[]>;
  /** Whether jobs of the same lane that are part of something else could start now if there were a free slot. */
  doOthersWait<Payload extends TSchema>(on: Sql, job: JobName<Payload>, payload: Static<Payload>): Promise<boolean>;
  /** Starts the workers. */
  work(): Promise<void>;
  /** True when nothing is waiting (delayed jobs aside) or under way. */
  isIdle(): Promise<boolean>;
  /** Waits for work under way, at most so long; the rest resumes elsewhere. */
  close(drainMs: number): Promise<void>;
}

/** The queue's tables. */
export const JOB_MIGRATIONS = migrationsIn(import.meta.url);

function refuseDuplicates(jobs: readonly { name: string }[]): void {
  const names = jobs.map((job) => job.name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice) throw new Error(`Two jobs are named ${twice}.`);
}

/** Opens the queue, whose tables are there. */
export async function openJobs<Outside>(options: WorkersOptions<Outside>): Promise<Jobs> {
  const { db, jobs, log } = options;
  refuseDuplicates(jobs);
  await adoptOldQueue(db, { jobs, account: SERVICE });
  // Embedded, no other process can hold a job: what is marked as running was cut off.
  const lost = db.isEmbedded ? await loseAll(db) : [];
  if (lost.length) log.warn({ jobs: lost.length }, 'jobs were cut off when the service stopped, and go on');
  const workers = new Workers(options);
  return {
    async enqueue(on, job, { payloads, account, urgency = job.urgency ?? 'interactive', startAfterSeconds = 0 }) {
      if (payloads.length === 0) return;
      const items = payloads.map((payload) => ({
        payload,
        partOf: job.partOf?.(payload) ?? null,
        sameAs: job.sameAs?.(payload) ?? null,
      }));
      workers.expect(job.lane);
      await insertJobs(on, { name: job.name, lane: job.lane, accountId: account, urgency, startAfterSeconds, items });
    },
    wake: () => workers.wake(),
    counts: async () => Object.fromEntries((await countJobs(db)).map((row) => [row.name, row.jobs])),
    listParts: (on, things) => listParts(on, things),
    doOthersWait: (on, { lane, partOf }, payload) => isOtherDue(on, { lane, than: partOf?.(payload) ?? '' }),
    work: () => workers.start(),
    isIdle: async () => !(await isAnyDue(db)) && !workers.isBusy,
    close: (drainMs) => workers.stop(drainMs),
  };
}
