// One lane of this process runs a fixed number of jobs at once, of any kinds, and starts the next when one ends.
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../db/index.ts';
import { messageOf } from '../errors/index.ts';
import type { Log } from '../log/index.ts';
import type { Job, Lane } from './declare.ts';
import { deleteJob, releaseJobs, retryJob, takeJob, type Taken, type Weights } from './store.ts';
import { tryJob, type Outcome } from './try.ts';

interface LaneOptions<Outside> {
  lane: Lane;
  /** How many jobs run at once. */
  slots: number;
  jobs: ReadonlyMap<string, Job<Outside>>;
  worker: string;
  db: Db;
  log: Log;
  outside: () => Outside;
  /** Aborted when the lane takes no more jobs. */
  closing: AbortSignal;
  /** Aborted when running jobs must end. */
  stop: AbortSignal;
}

const WEIGHTS: Weights = { estimateMs: 250, headstartMs: 400, bulkFactor: 8, bulkDelayMs: 2_000 };
/**
 * A job counts for so much at least, as taking it takes time, too, and at most, so that nobody waits for ever after a
 * very long one.
 */
const COUNTED_MS = { min: 100, max: 60_000 };
const SAVE_AGAIN_MS = { first: 250, max: 5_000 };

export class JobLane<Outside> {
  #options: LaneOptions<Outside>;
  #running = new Map<string, { taken: Taken; work: Promise<void> }>();
  #last: Taken | undefined;
  #filling: Promise<void> | undefined;
  #isWanted = false;

  constructor(options: LaneOptions<Outside>) {
    this.#options = options;
  }

  get name(): Lane {
    return this.#options.lane;
  }

  get isFull(): boolean {
    return this.#running.size >= this.#options.slots;
  }

  /** The ids of the jobs that run in this lane. */
  get ids(): string[] {
    return [...this.#running.keys()];
  }

  /** Takes jobs until there are none or no slot is free. Rejects when the database does not answer. */
  fill(): Promise<void> {
    this.#isWanted = true;
    this.#filling ??= this.#fill().finally(() => (this.#filling = undefined));
    return this.#filling;
  }

  /** Resolves when no job runs in this lane. */
  async settled(): Promise<void> {
    await this.#filling?.catch(() => undefined);
    await Promise.all([...this.#running.values()].map(({ work }) => work));
  }

  async #fill(): Promise<void> {
    while (this.#isWanted && !this.isFull && !this.#options.closing.aborted) {
      this.#isWanted = false;
      const taken = await this.#take();
      if (!taken) continue;
      this.#isWanted = true;
      this.#running.set(taken.id, { taken, work: this.#work(taken) });
    }
  }

  /** Jobs of a thing that holds its share of the slots are taken after all others. */
  async #take(): Promise<Taken | undefined> {
    const { db, lane, worker, jobs, slots } = this.#options;
    const parts = Map.groupBy(
      [...this.#running.values()].flatMap(({ taken }) => taken.partOf ?? []),
      (part) => part,
    );
    const notPartOf = [...parts].filter(([, held]) => held.length >= Math.ceil(slots / 2)).map(([part]) => part);
    const taking = { lane, worker, names: [...jobs.keys()], last: this.#last, weights: WEIGHTS };
    const taken =
      (await takeJob(db, { ...taking, notPartOf })) ??
      (notPartOf.length ? await takeJob(db, { ...taking, notPartOf: [] }) : undefined);
    this.#last = taken ?? this.#last;
    return taken;
  }

  async #work(taken: Taken): Promise<void> {
    const { jobs, outside, log, stop } = this.#options;
    const started = performance.now();
    const outcome = await tryJob(jobs.get(taken.name) as Job<Outside>, taken, { outside: outside(), log, stop });
    await this.#save(taken, outcome, performance.now() - started);
    this.#running.delete(taken.id);
    this.fill().catch((error: unknown) =>
      log.warn(
        { lane: this.name, message: messageOf(error) },
        'the next job could not be taken; it is looked for again',
      ),
    );
  }

  /** Retries until the outcome is saved or the process ends: a finished job must not run again after an outage. */
  async #save({ id, losses }: Taken, outcome: Outcome, tookMs: number): Promise<void> {
    const { db, log, worker, stop } = this.#options;
    const held = { id, worker, losses };
    const excess = {
      ms: Math.min(Math.max(tookMs, COUNTED_MS.min), COUNTED_MS.max) - WEIGHTS.estimateMs,
      bulkFactor: WEIGHTS.bulkFactor,
    };
    for (let waitMs = SAVE_AGAIN_MS.first; ; waitMs = Math.min(waitMs * 2, SAVE_AGAIN_MS.max)) {
      try {
        if (outcome.end === 'done') return await deleteJob(db, held, excess);
        if (outcome.end === 'again') return await retryJob(db, held, { ...outcome, ...excess });
        return await releaseJobs(db, worker, [id]);
      } catch (error) {
        log.warn(
          { job: id, message: messageOf(error) },
          'the end of a job could not be saved; it is saved as soon as the database answers',
        );
        if (stop.aborted) return;
        await delay(waitMs, undefined, { signal: stop }).catch(() => undefined);
      }
    }
  }
}
