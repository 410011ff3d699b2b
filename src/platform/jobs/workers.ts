// Runs jobs in this process: so many of a lane at once, each with a time limit, until told to stop.
import type { PgBoss } from 'pg-boss';
import { Check, Errors } from 'typebox/value';
import { messageOf } from '../errors/index.ts';
import type { Log } from '../log/index.ts';
import type { Job, JobTurn, Lane } from './declare.ts';

export interface WorkersOptions<Outside> {
  log: Log;
  jobs: readonly Job<Outside>[];
  /** Jobs of a lane that run at once in this process. */
  concurrency: Record<Lane, number>;
  outside: () => Outside;
}

/** The poll is only the floor: workers are woken when a job is queued here, and fetch again after each job. */
const POLL_SECONDS = 1;
/** Processes tick a little apart. */
const JITTER = 0.1;

export class Workers<Outside> {
  #boss: PgBoss;
  #options: WorkersOptions<Outside>;
  #ids: string[] = [];
  #timers: NodeJS.Timeout[] = [];
  #stop = new AbortController();
  #running = new Set<Promise<void>>();

  constructor(boss: PgBoss, options: WorkersOptions<Outside>) {
    this.#boss = boss;
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  wake(): void {
    for (const id of this.#ids) this.#boss.notifyWorker(id);
  }

  async start(): Promise<void> {
    const { jobs, concurrency } = this.#options;
    for (const job of jobs) {
      if (job.everySeconds) this.#startTimer(job, job.everySeconds);
      else for (let n = 0; n < concurrency[job.lane]; n += 1) await this.#startWorker(job);
    }
  }

  /** No new work; what runs is waited for, at most so long, then told to stop. */
  async stop(drainMs: number): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const stopped = this.#boss.stop({ graceful: true, timeout: Math.max(drainMs, 1000) });
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => (timer = setTimeout(resolve, drainMs)));
    await Promise.race([Promise.allSettled(this.#running), limit]);
    clearTimeout(timer);
    this.#stop.abort();
    await stopped;
  }

  async #run(job: Job<Outside>, turn: JobTurn, payload: unknown): Promise<void> {
    const { log, outside } = this.#options;
    const started = performance.now();
    try {
      if (!Check(job.payload, payload)) throw new Error(`${job.name} got a payload it does not know: ${[...Errors(job.payload, payload)].map((fault) => fault.message).join('; ')}`);
      await job.run(outside(), payload as never, turn);
      log.debug({ job: job.name, payload, ms: Math.round(performance.now() - started) }, 'job done');
    } catch (error) {
      log[turn.isLast ? 'error' : 'warn']({ job: job.name, payload, attempt: turn.attempt, err: error }, 'job failed');
      throw error;
    }
  }

  async #track(work: Promise<void>): Promise<void> {
    this.#running.add(work);
    try {
      await work;
    } finally {
      this.#running.delete(work);
    }
  }

  async #startWorker(job: Job<Outside>): Promise<void> {
    const options = { batchSize: 1, pollingIntervalSeconds: POLL_SECONDS, includeMetadata: true, orderByCreatedOn: true } as const;
    const id: string = await this.#boss.work(job.name, options, async ([taken]) => {
      if (!taken) return;
      const attempt = taken.retryCount + 1;
      const signal = AbortSignal.any([taken.signal, this.#stop.signal, AbortSignal.timeout(job.timeoutMs)]);
      try {
        await this.#track(this.#run(job, { signal, attempt, isLast: attempt >= job.attempts }, taken.data));
      } finally {
        if (!this.#stop.signal.aborted) this.#boss.notifyWorker(id);
      }
    });
    this.#ids.push(id);
  }

  #startTimer(job: Job<Outside>, seconds: number): void {
    const turn = { signal: this.#stop.signal, attempt: 1, isLast: true };
    const tick = (): void => {
      void this.#track(this.#run(job, turn, {})).catch((error: unknown) => this.#options.log.warn({ job: job.name, message: messageOf(error) }, 'a scheduled job failed; its next turn comes'));
    };
    this.#timers.push(setInterval(tick, seconds * 1000 * (1 - JITTER + Math.random() * 2 * JITTER)));
  }
}
