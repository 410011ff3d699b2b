// Outcomes are written in batches: one transaction for as many as came in within a moment.
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { Attempt, Hold } from './outcomes.ts';
import { settle, type Ended, type Untried } from './settle.ts';

const BATCH = 500;
/** So long outcomes come together. */
const WAIT_MS = 50;
/** And so much longer while there are many: a transaction's statements cost the same for ten as for a hundred. */
const MORE_MS = 50;
/** So many a batch are many. */
const MANY = 16;
const AGAIN_MS = 1000;

export interface Settler {
  add(ended: Ended): void;
  /** It was not tried: it waits again, until then where it is held back. */
  giveBack(attempt: Attempt, hold?: Hold): void;
  /** Those that are not written yet. */
  readonly waiting: number;
  /** Resolves when all is written, or cannot be for so long; from then on nothing is, and the journal has what is left. */
  close(patienceMs: number): Promise<void>;
}

interface Settling {
  worker: string;
  /** After the commit. */
  onSettled(attempts: readonly Attempt[]): void;
}

/** What cannot be written is kept and tried again: an outcome is what has happened. */
export function createSettler(
  doors: Pick<Outside, 'db' | 'events' | 'clock' | 'lists' | 'log' | 'facts' | 'jobs'>,
  { worker, onSettled }: Settling,
): Settler {
  let queue: (Ended | Untried)[] = [];
  let underWay = 0;
  let running: Promise<void> | undefined;
  let isClosing = false;
  const closed = new AbortController();

  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  /** Until a batch has come together. */
  const gather = async (): Promise<void> => {
    const isShort = (): boolean => queue.length < BATCH && !isClosing;
    if (isShort()) await pause(WAIT_MS);
    if (isShort() && queue.length >= MANY) await pause(MORE_MS);
  };

  const run = async (): Promise<void> => {
    while (queue.length > 0 && !closed.signal.aborted) {
      await gather();
      const batch = queue.splice(0, BATCH);
      underWay = batch.length;
      try {
        const ended = batch.filter((one) => 'outcome' in one);
        await settle(doors, worker, { ended, untried: batch.filter((one) => !('outcome' in one)) });
        underWay = 0;
        onSettled(batch);
      } catch (error) {
        queue = [...batch, ...queue];
        underWay = 0;
        doors.log.warn({ message: messageOf(error) }, 'outcomes of deliveries could not be written; it is tried again');
        await pause(AGAIN_MS);
      }
    }
  };
  const start = (): void => {
    if (closed.signal.aborted) return;
    running ??= run().finally(() => {
      running = undefined;
      if (queue.length > 0) start();
    });
  };

  return {
    add(ended) {
      queue.push(ended);
      start();
    },
    giveBack(attempt, hold) {
      queue.push({ ...attempt, hold });
      start();
    },
    get waiting() {
      return queue.length + underWay;
    },
    async close(patienceMs) {
      isClosing = true;
      if (running) await Promise.race([running, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())]);
      closed.abort();
    },
  };
}
