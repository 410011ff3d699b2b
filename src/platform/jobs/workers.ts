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

/** Only if all else fails: workers are woken when a job is queued here or is due, and fetch again after each job. */
const POLL_SECONDS = 60;
/** How often is looked for what another process queued, and for what was put off. */
const LOOK_MS = 1000;
/** A transaction may take so long from queueing a job to its end. */
const QUEUED_MS = 10_000;
/** Processes tick a little apart. */
const JITTER = 0.1;

export class Workers<Outside> {
  #boss: PgBoss;
  #options: WorkersOptions<Outside>;
  #due: () => Promise<string[]>;
  /** By the name of their job. */
  #ids = new Map<string, string[]>();
  /** Workers that run a job. */
  #busy = new Set<string>();
  /** When a job of that name was last queued here. */
  #queuedAt = new Map<string, number>();
  #timers: NodeJS.Timeout[] = [];
  #stop = new AbortController();
  #running = new Set<Promise<void>>();

  /** @param due names of the jobs that wait and may begin now. */
  constructor(boss: PgBoss, options: WorkersOptions<Outside>, due: () => Promise<string[]>) {
    this.#boss = boss;
    this.#options = options;
    this.#due = due;
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** A job of that name is being queued; `wake` tells its workers. */
  expect(name: string): void {
    this.#queuedAt.set(name, performance.now());
  }

  wake(): void {
    for (const [name, at] of this.#queuedAt) {
      // Another transaction may end later than the one that this call is about.
      if (performance.now() - at > QUEUED_MS) this.#queuedAt.delete(name);
      else for (const id of this.#ids.get(name) ?? []) this.#boss.notifyWorker(id);
    }
  }

  async start(): Promise<void> {
    const { jobs, concurrency } = this.#options;
    for (const job of jobs) {
      if (job.everySeconds) this.#startTimer(job, job.everySeconds);
      else for (let n = 0; n < concurrency[job.lane]; n += 1) await this.#startWorker(job);
    }
    this.#timers.push(setInterval(() => void this.#look(), LOOK_MS));
  }

  /** One question for all jobs, where every worker would ask for its own. */
  async #look(): Promise<void> {
    try {
      for (const name of await this.#due()) this.#wakeOne(name);
    } catch (error) {
      this.#options.log.warn({ message: messageOf(error) }, 'the job queue could not be looked at');
    }
  }

  /** Whoever then takes a job wakes the next, as there may be more. */
  #wakeOne(name: string): void {
    const idle = this.#ids.get(name)?.find((id) => !this.#busy.has(id));
    if (idle !== undefined) this.#boss.notifyWorker(idle);
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
      this.#busy.add(id);
      this.#wakeOne(job.name);
      try {
        await this.#track(this.#run(job, { signal, attempt, isLast: attempt >= job.attempts }, taken.data));
      } finally {
        this.#busy.delete(id);
        if (!this.#stop.signal.aborted) this.#boss.notifyWorker(id);
      }
    });
    this.#ids.set(job.name, [...(this.#ids.get(job.name) ?? []), id]);
  }

  #startTimer(job: Job<Outside>, seconds: number): void {
    const turn = { signal: this.#stop.signal, attempt: 1, isLast: true };
    const tick = (): void => {
      void this.#track(this.#run(job, turn, {})).catch((error: unknown) => this.#options.log.warn({ job: job.name, message: messageOf(error) }, 'a scheduled job failed; its next turn comes'));
    };
    this.#timers.push(setInterval(tick, seconds * 1000 * (1 - JITTER + Math.random() * 2 * JITTER)));
  }
}
