// Background work: declared by features, queued in the caller's transaction, run in lanes.
import { PgBoss } from 'pg-boss';
import type { Static, TSchema } from 'typebox';
import type { Db, Sql } from '../db/index.ts';
import type { Job } from './declare.ts';
import { Workers, type WorkersOptions } from './workers.ts';

export { defineJob, type Job, type JobTurn, type Lane } from './declare.ts';

export interface Enqueue {
  /** Larger runs first. */
  priority?: number;
  startAfterSeconds?: number;
}

export interface Jobs {
  /** Queues a job for each payload, inside the caller's transaction when `on` is one. */
  enqueue<Payload extends TSchema>(on: Sql, job: Job<never, Payload>, work: { payloads: readonly Static<Payload>[] } & Enqueue): Promise<void>;
  /** Tells this process's workers to look now instead of at the next poll. Call it after the commit. */
  wake(): void;
  /** Jobs waiting or under way, by name. */
  counts(): Promise<Record<string, number>>;
  /** Starts the workers. */
  work(): Promise<void>;
  /** True when nothing is waiting (delayed jobs aside) or under way. */
  isIdle(): Promise<boolean>;
  /** Waits for work under way, at most so long; the rest resumes elsewhere. */
  close(drainMs: number): Promise<void>;
}

/** A worker that says nothing for so long is dead, and its job goes to another. */
const HEARTBEAT_SECONDS = 15;
const KEPT_SECONDS = 3600;
const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** What the queue asks of a database. */
interface QueueDatabase {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: any[] }>;
}

function executor(on: Sql): QueueDatabase {
  return { executeSql: (text, values) => on.text(text, values) };
}

function refuseDuplicates(jobs: readonly { name: string }[]): void {
  const names = jobs.map((job) => job.name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice) throw new Error(`Two jobs are named ${twice}.`);
}

async function createQueue(boss: PgBoss, job: Pick<Job<never>, 'name' | 'attempts' | 'timeoutMs'>): Promise<void> {
  const options = {
    retryLimit: job.attempts - 1,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    expireInSeconds: Math.ceil(job.timeoutMs / 1000) + 5,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: KEPT_SECONDS,
  };
  await boss.createQueue(job.name, options);
  await boss.updateQueue(job.name, options);
  // The first send inside a transaction would look the queue up on its own connection: fill the cache now.
  await boss.findJobs(job.name, { id: NO_JOB });
}

/** Opens the queue in the database, creating what is missing. */
export async function openJobs<Outside>({ db, ...options }: WorkersOptions<Outside> & { db: Db }): Promise<Jobs> {
  refuseDuplicates(options.jobs);
  const boss = new PgBoss({ db: executor(db), backend: db.isEmbedded ? 'pglite' : 'postgres', schedule: false, superviseIntervalSeconds: 10, monitorIntervalSeconds: 10, monitorVacuum: false });
  boss.on('error', (error) => options.log.error({ err: error }, 'the job queue failed'));
  await boss.start();
  for (const job of options.jobs) await createQueue(boss, job);
  // Embedded, no other process can hold a job: what is marked active was cut off, and goes first.
  if (db.isEmbedded) await db.text(`update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`);
  const workers = new Workers(boss, options, async () => {
    const { rows } = await db.text(`select distinct name from pgboss.job where state < 'active' and not blocked and start_after <= now()`);
    return (rows as { name: string }[]).map(({ name }) => name);
  });
  return {
    async enqueue(on, job, { payloads, priority, startAfterSeconds }) {
      const inserts = payloads.map((data) => ({ data: data as object, ...(priority !== undefined && { priority }), ...(startAfterSeconds !== undefined && { startAfter: startAfterSeconds }) }));
      if (inserts.length === 0) return;
      workers.expect(job.name);
      await boss.insert(job.name, inserts, { db: executor(on) });
    },
    wake: () => workers.wake(),
    async counts() {
      const { rows } = await db.text(`select name, count(*)::int as jobs from pgboss.job where state in ('created', 'retry', 'active') group by name`);
      return Object.fromEntries((rows as { name: string; jobs: number }[]).map((row) => [row.name, row.jobs]));
    },
    work: () => workers.start(),
    async isIdle() {
      const { rows } = await db.text(`select 1 from pgboss.job where state = 'active' or (state in ('created', 'retry') and start_after <= now()) limit 1`);
      return rows.length === 0 && !workers.isBusy;
    },
    close: (drainMs) => workers.stop(drainMs),
  };
}
