// Who waits for changes of inboxes in this process: one look at the database for all of them together.
import type { Db } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { SandboxInbox } from './store.ts';
import { listRevisions } from './store.ts';

/** Another process may have changed an inbox. */
const LOOK_MS = 100;
/** Of one account, and of all, in this process. */
const WAITING_MAX = 250;
const WAITING_OF_ALL_MAX = 2000;

interface Waiting {
  inboxId: string;
  after: number;
  resolve: () => void;
}

class Lookout {
  readonly #doors: Pick<Outside, 'db' | 'log'>;
  readonly #waiting = new Set<Waiting>();
  #isRunning = false;
  #wake = (): void => {};

  constructor(doors: Pick<Outside, 'db' | 'log'>) {
    this.#doors = doors;
  }

  wake(): void {
    this.#wake();
  }

  add(waiting: Waiting): () => void {
    this.#waiting.add(waiting);
    if (!this.#isRunning) void this.#run();
    return () => void this.#waiting.delete(waiting);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      // Made before the look: what changes during it is looked at again at once.
      const pause = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await this.#look();
      const timer = setTimeout(this.#wake, LOOK_MS);
      await pause;
      clearTimeout(timer);
    }
    this.#isRunning = false;
  }

  async #look(): Promise<void> {
    const ids = [...new Set([...this.#waiting].map(({ inboxId }) => inboxId))];
    if (ids.length === 0) return;
    try {
      const revisions = await listRevisions(this.#doors.db, ids);
      for (const waiting of this.#waiting) {
        const revision = ids.includes(waiting.inboxId) ? (revisions.get(waiting.inboxId) ?? Infinity) : 0;
        if (revision <= waiting.after) continue;
        this.#waiting.delete(waiting);
        waiting.resolve();
      }
    } catch (error) {
      this.#doors.log.warn({ err: error }, 'sandbox inboxes could not be looked at');
    }
  }
}

const lookouts = new WeakMap<Db, Lookout>();
const counts = new Map<string, number>();
let countOfAll = 0;

/** Something has changed in this process: whoever waits need not wait for the next look. */
export function wakeWatchers(db: Db): void {
  lookouts.get(db)?.wake();
}

/** Resolves when the inbox is past a revision, or gone, or the signal says so. */
export async function changed(
  doors: Pick<Outside, 'db' | 'log'>,
  { inbox, after, signal }: { inbox: Pick<SandboxInbox, 'id'>; after: number; signal: AbortSignal },
): Promise<void> {
  const lookout = lookouts.get(doors.db) ?? new Lookout(doors);
  lookouts.set(doors.db, lookout);
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = lookout.add({ inboxId: inbox.id, after, resolve });
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  leave();
}

/** Takes one of the places in which an account may wait; the function gives it back. Throws `too_many_requests`. */
export function takePlace(accountId: string): () => void {
  const count = counts.get(accountId) ?? 0;
  if (count >= WAITING_MAX || countOfAll >= WAITING_OF_ALL_MAX)
    throw new AppError(
      'too_many_requests',
      count >= WAITING_MAX
        ? `${count} calls of this account wait for messages of its sandbox, and no more may. Try again when some have ended.`
        : 'As many calls wait for messages of sandboxes as may. Try again in a few seconds.',
      { headers: { 'retry-after': '5' } },
    );
  counts.set(accountId, count + 1);
  countOfAll += 1;
  return () => {
    countOfAll -= 1;
    const left = (counts.get(accountId) ?? 1) - 1;
    if (left > 0) counts.set(accountId, left);
    else counts.delete(accountId);
  };
}
