// Runs jobs in this process: its lanes, its heartbeat, and the jobs of processes whose heartbeat stopped.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Db } from '../db/index.ts';
import { messageOf } from '../errors/index.ts';
import type { Log } from '../log/index.ts';
import type { Job, Lane } from './declare.ts';
import { JobLane } from './lane.ts';
import { beat, deleteWorker, forgetIdleTurns, listDueLanes, loseOfTheDead, loseUnheard, releaseJobs } from './store.ts';

export interface WorkersOptions<Outside> {
  db: Db;
  log: Log;
  jobs: readonly Job<Outside>[];
  /** Jobs of a lane that run at once in this process, whatever their kinds. */
  concurrency: Record<Lane, number>;
  outside: () => Outside;
}

/** How often a worker looks for jobs that another process queued, and for jobs that were put off. */
const LOOK_MS = 1000;
const BEAT_MS = 2000;
/** A process whose last heartbeat is older than this is dead. */
const LOST_SECONDS = 10;
/** The longest time from queueing a job to the end of the transaction that queued it. */
const QUEUED_MS = 10_000;
/** Heartbeats vary by this share, so that processes do not all write at once. */
const JITTER = 0.1;

export class Workers<Outside> {
  readonly id = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
  #options: WorkersOptions<Outside>;
  #lanes: JobLane<Outside>[] = [];
  /** When a job of that lane was last queued here. */
  #queuedAt = new Map<Lane, number>();
  #timers: NodeJS.Timeout[] = [];
  #ticks = new Map<string, Promise<void>>();
  #closing = new AbortController();
  #stop = new AbortController();
  #beatAt: number | undefined;
  /** Until this time no process is declared dead: the database was away, and no heartbeat could be written. */
  #patientUntil = 0;

  constructor(options: WorkersOptions<Outside>) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#ticks.size > 0 || this.#lanes.some((lane) => lane.ids.length > 0);
  }

  /** A job of that lane is being queued; `wake` tells the lane. */
  expect(lane: Lane): void {
    this.#queuedAt.set(lane, performance.now());
  }

  wake(): void {
    for (const [name, at] of this.#queuedAt) {
      // Another transaction may end later than the one that this call is about.
      if (performance.now() - at > QUEUED_MS) this.#queuedAt.delete(name);
      else for (const lane of this.#lanes) if (lane.name === name) this.#fill(lane);
    }
  }

  async start(): Promise<void> {
    const { db, log, jobs, concurrency, outside } = this.#options;
    const [timed, queued] = [
      jobs.filter((job) => job.everySeconds !== undefined),
      jobs.filter((job) => job.everySeconds === undefined),
    ];
    await beat(db, this.id);
    this.#beatAt = performance.now();
    for (const [lane, own] of Map.groupBy(queued, (job) => job.lane)) {
      const byName = new Map(own.map((job) => [job.name, job]));
      this.#lanes.push(
        new JobLane({
          lane,
          slots: concurrency[lane],
          jobs: byName,
          worker: this.id,
          db,
          log,
          outside,
          closing: this.#closing.signal,
          stop: this.#stop.signal,
        }),
      );
    }
    for (const job of timed) this.#startTimer(job, job.everySeconds as number);
    this.#every(LOOK_MS, 'the job queue could not be looked at', () => this.#look());
    this.#every(BEAT_MS, 'the sign of life of this process could not be given', () => this.#tick());
    await this.#look();
  }

  /**
   * Takes no new work, waits at most so long for running jobs, then aborts them; a job that ignores that is given back.
   */
  async stop(drainMs: number): Promise<void> {
    const { db, log } = this.#options;
    for (const timer of this.#timers) clearInterval(timer);
    this.#closing.abort();
    const settled = Promise.all([...this.#lanes.map((lane) => lane.settled()), ...this.#ticks.values()]);
    await within(settled, drainMs);
    this.#stop.abort();
    await within(settled, STOPPING_MS);
    try {
      await releaseJobs(
        db,
        this.id,
        this.#lanes.flatMap((lane) => lane.ids),
      );
      await deleteWorker(db, this.id);
    } catch (error) {
      log.warn({ message: messageOf(error) }, 'the jobs of this process could not be given back; others take them up');
    }
  }

  #fill(lane: JobLane<Outside>): void {
    lane
      .fill()
      .catch((error: unknown) =>
        this.#options.log.warn(
          { lane: lane.name, message: messageOf(error) },
          'a job could not be taken; it is looked for again',
        ),
      );
  }

  /** Asks the database once for all lanes that have a free slot. */
  async #look(): Promise<void> {
    const free = this.#lanes.filter((lane) => !lane.isFull);
    if (free.length === 0) return;
    const due = await listDueLanes(
      this.#options.db,
      free.map((lane) => lane.name),
    );
    for (const lane of free) if (due.includes(lane.name)) this.#fill(lane);
  }

  /** Writes this process's heartbeat, and takes over the jobs of dead processes. */
  async #tick(): Promise<void> {
    const { db, log } = this.#options;
    await beat(db, this.id);
    const now = performance.now();
    // While the database was away, no process could write its heartbeat.
    if (now - (this.#beatAt ?? now) > (LOST_SECONDS * 1000) / 2) this.#patientUntil = now + LOST_SECONDS * 1000;
    this.#beatAt = now;
    const held = { worker: this.id, ids: this.#lanes.flatMap((lane) => lane.ids), seconds: LOST_SECONDS };
    const lost = [...(await loseUnheard(db, held)), ...(now > this.#patientUntil ? await loseOfTheDead(db, held) : [])];
    await forgetIdleTurns(db);
    if (lost.length === 0) return;
    log.warn({ jobs: lost.length }, 'jobs were lost with their process and are queued again');
    await this.#look();
  }

  #every(ms: number, failed: string, work: () => Promise<void>): void {
    let isUnderWay = false;
    const tick = async (): Promise<void> => {
      if (isUnderWay) return;
      isUnderWay = true;
      await work().catch((error: unknown) => this.#options.log.warn({ message: messageOf(error) }, failed));
      isUnderWay = false;
    };
    this.#timers.push(setInterval(() => void tick(), ms));
  }

  /** A run that takes longer than its interval is not started a second time. */
  #startTimer(job: Job<Outside>, seconds: number): void {
    const { log, outside } = this.#options;
    const turn = { signal: this.#stop.signal, attempt: 1, isLast: true };
    const tick = async (): Promise<void> => {
      await job
        .run(outside(), {}, turn)
        .catch((error: unknown) =>
          log.warn({ job: job.name, err: error }, 'a scheduled job failed; its next turn comes'),
        );
      this.#ticks.delete(job.name);
    };
    const start = (): void => {
      if (!this.#ticks.has(job.name)) this.#ticks.set(job.name, tick());
    };
    this.#timers.push(setInterval(start, seconds * 1000 * (1 - JITTER + Math.random() * 2 * JITTER)));
  }
}

/** Handlers that obey the abort signal end within this time. */
const STOPPING_MS = 2_000;

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
