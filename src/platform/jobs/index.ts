// Background work: declared by features, queued in the caller's transaction, run in lanes.
import { PgBoss } from 'pg-boss';
import type { Static, TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';
import type { Db, Sql } from '../db/index.ts';
import { messageOf } from '../errors/index.ts';
import type { Log } from '../log/index.ts';

/** What a job exhausts: a browser, the network, mail servers, or nothing much. */
export type Lane = 'render' | 'net' | 'mail' | 'quick';

export interface Job<Outside, Payload extends TSchema = TSchema> {
  /** `feature.verb`, a literal. */
  name: string;
  payload: Payload;
  lane: Lane;
  /** Tries in all, counting those that a killed process took. */
  attempts: number;
  timeoutMs: number;
  /** Pause before a retry. */
  retryDelaySeconds?: number;
  /** Runs every so many seconds by itself, with an empty payload. */
  everySeconds?: number;
  /** Safe to run twice: delivery is at least once. A throw is retried until the attempts are used up. */
  run(outside: Outside, payload: Static<Payload>, turn: JobTurn): Promise<void>;
}

export interface JobTurn {
  signal: AbortSignal;
  /** 1 for the first try. */
  attempt: number;
  isLast: boolean;
}

/** Names a job; the payload's type follows from its schema. */
export function defineJob<Outside>() {
  return <Payload extends TSchema>(job: Job<Outside, Payload>): Job<Outside, Payload> => job;
}

export interface Enqueue {
  /** Larger runs first. */
  priority?: number;
  startAfterSeconds?: number;
  /** At most one job with this key waits at a time. */
  singletonKey?: string;
}

export interface Jobs {
  /** Queues a job for each payload, inside the caller's transaction when `on` is one. */
  enqueue<Payload extends TSchema>(on: Sql, job: Job<never, Payload>, payloads: readonly Static<Payload>[], options?: Enqueue): Promise<void>;
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

export interface JobsOptions<Outside> {
  db: Db;
  log: Log;
  jobs: readonly Job<Outside>[];
  /** Jobs of a lane that run at once in this process. */
  concurrency: Record<Lane, number>;
  outside: () => Outside;
}

const HEARTBEAT_SECONDS = 15;
const POLL_SECONDS = 1;

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

async function createQueue(boss: PgBoss, job: Job<never>): Promise<void> {
  const options = {
    retryLimit: job.attempts - 1,
    retryDelay: job.retryDelaySeconds ?? 1,
    retryBackoff: true,
    retryDelayMax: 60,
    expireInSeconds: Math.ceil(job.timeoutMs / 1000) + 5,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: 3600,
  };
  await boss.createQueue(job.name, options);
  await boss.updateQueue(job.name, options);
  // The first send inside a transaction would look the queue up on its own connection: fill the cache now.
  await boss.findJobs(job.name, { id: '00000000-0000-0000-0000-000000000000' });
}

/** Opens the queue in the database, creating what is missing. */
export async function openJobs<Outside>({ db, log, jobs, concurrency, outside }: JobsOptions<Outside>): Promise<Jobs> {
  refuseDuplicates(jobs);
  const boss = new PgBoss({ db: executor(db), backend: db.isEmbedded ? 'pglite' : 'postgres', schedule: false, superviseIntervalSeconds: 10, monitorIntervalSeconds: 10, monitorVacuum: false });
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'));
  await boss.start();
  for (const job of jobs) await createQueue(boss, job as Job<never>);
  // Embedded, no other process can hold a job: what is marked active was cut off and goes first.
  if (db.isEmbedded) await db.text(`update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`);

  const workers: string[] = [];
  const timers: NodeJS.Timeout[] = [];
  const controller = new AbortController();
  const running = new Set<Promise<void>>();

  const wake = (): void => {
    for (const id of workers) boss.notifyWorker(id);
  };

  async function runOne(job: Job<Outside>, turn: JobTurn, payload: unknown): Promise<void> {
    if (!Check(job.payload, payload)) throw new Error(`${job.name} got a payload it does not know: ${[...Errors(job.payload, payload)].map((fault) => fault.message).join('; ')}`);
    const started = performance.now();
    try {
      await job.run(outside(), payload as never, turn);
      log.debug({ job: job.name, payload, ms: Math.round(performance.now() - started) }, 'job done');
    } catch (error) {
      log[turn.isLast ? 'error' : 'warn']({ job: job.name, payload, attempt: turn.attempt, err: error }, 'job failed');
      throw error;
    }
  }

  async function startWorker(job: Job<Outside>): Promise<void> {
    let id = '';
    id = await boss.work(job.name, { batchSize: 1, pollingIntervalSeconds: POLL_SECONDS, includeMetadata: true, orderByCreatedOn: true }, async ([taken]) => {
      if (!taken) return;
      const turn = {
        signal: AbortSignal.any([taken.signal, controller.signal, AbortSignal.timeout(job.timeoutMs)]),
        attempt: taken.retryCount + 1,
        isLast: taken.retryCount + 1 >= job.attempts,
      };
      const work = runOne(job, turn, taken.data);
      running.add(work);
      try {
        await work;
      } finally {
        running.delete(work);
        // Fetch again at once: more is often waiting.
        if (!controller.signal.aborted) boss.notifyWorker(id);
      }
    });
    workers.push(id);
  }

  function every(job: Job<Outside>, seconds: number): void {
    const turn = { signal: controller.signal, attempt: 1, isLast: true };
    const tick = (): void => {
      const work = runOne(job, turn, {}).catch((error: unknown) => log.error({ job: job.name, message: messageOf(error) }, 'a scheduled job failed; it runs again'));
      running.add(work);
      void work.finally(() => running.delete(work));
    };
    timers.push(setInterval(tick, seconds * 1000 * (0.9 + Math.random() * 0.2)));
  }

  return {
    async enqueue(on, job, payloads, options = {}) {
      if (!payloads.length) return;
      const inserts = payloads.map((data) => ({ data: data as object, priority: options.priority, startAfter: options.startAfterSeconds, singletonKey: options.singletonKey }));
      await boss.insert(job.name, inserts, { db: executor(on) } as never);
    },
    wake,
    async counts() {
      const { rows } = await db.text(`select name, count(*)::int as jobs from pgboss.job where state in ('created', 'retry', 'active') group by name`);
      return Object.fromEntries((rows as { name: string; jobs: number }[]).map((row) => [row.name, row.jobs]));
    },
    async work() {
      for (const job of jobs) {
        if (job.everySeconds) every(job, job.everySeconds);
        else for (let n = 0; n < concurrency[job.lane]; n += 1) await startWorker(job);
      }
    },
    async isIdle() {
      const { rows } = await db.text(`select 1 from pgboss.job where state = 'active' or (state in ('created', 'retry') and start_after <= now()) limit 1`);
      return rows.length === 0 && running.size === 0;
    },
    async close(drainMs) {
      for (const timer of timers) clearInterval(timer);
      const drained = Promise.allSettled(running);
      const stopped = boss.stop({ graceful: true, timeout: Math.max(drainMs, 1000) });
      await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, drainMs).unref())]);
      controller.abort();
      await stopped;
    },
  };
}
