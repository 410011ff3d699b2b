// Who waits for changes of inboxes in this process: one look at the database for all of them together, and one for the
// calls of each account whose inboxes have changed.
import type { Db } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { Conditions } from './conditions-store.ts';
import { findArrived, type SandboxMessage } from './messages-store.ts';
import type { SandboxInbox } from './store.ts';
import { listRevisions } from './store.ts';

/** Another process may have changed an inbox. */
const LOOK_MS = 100;
/** Of the order of an inbox, in which one look for an account seeks messages. */
const NUMBERS_AT_ONCE = 50;

type Inbox = Pick<SandboxInbox, 'id' | 'accountId'>;

interface Waiting {
  inbox: Inbox;
  /** The revision up to which it was looked. */
  after: number;
  /** Of the message that is waited for; without them, for any change. */
  conditions?: Conditions;
  /** With the message; without, when the inbox has changed or is gone. */
  resolve: (message?: SandboxMessage) => void;
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
    if (this.#isRunning) this.#wake();
    else void this.#run();
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

  #settle(waiting: Waiting, message?: SandboxMessage): void {
    this.#waiting.delete(waiting);
    waiting.resolve(message);
  }

  async #look(): Promise<void> {
    const all = [...this.#waiting];
    const ids = [...new Set(all.map(({ inbox }) => inbox.id))];
    if (ids.length === 0) return;
    const behind = new Map<string, { waiting: Waiting; revision: number }[]>();
    try {
      const revisions = await listRevisions(this.#doors.db, ids);
      for (const waiting of all) {
        const revision = revisions.get(waiting.inbox.id);
        if (revision !== undefined && revision <= waiting.after) continue;
        const { accountId } = waiting.inbox;
        if (revision === undefined || !waiting.conditions) this.#settle(waiting);
        else behind.set(accountId, [...(behind.get(accountId) ?? []), { waiting, revision }]);
      }
    } catch (error) {
      return this.#doors.log.warn({ err: error }, 'sandbox inboxes could not be looked at');
    }
    for (const [accountId, calls] of behind) await this.#lookFor(accountId, calls);
    return undefined;
  }

  /** What has come for the calls of one account: some of it, and then it is the next one's turn. */
  async #lookFor(accountId: string, calls: readonly { waiting: Waiting; revision: number }[]): Promise<void> {
    const asked = calls.map(({ waiting }) => {
      const { inbox, after, conditions = {} } = waiting;
      return { ...conditions, inboxId: inbox.id, after, upTo: after + NUMBERS_AT_ONCE };
    });
    try {
      const found = await findArrived(this.#doors.db, accountId, asked);
      for (const [place, { waiting, revision }] of calls.entries()) {
        const message = found.get(place);
        if (message) this.#settle(waiting, message);
        else if (waiting.after + NUMBERS_AT_ONCE >= revision) waiting.after = revision;
        else {
          waiting.after += NUMBERS_AT_ONCE;
          this.#wake();
        }
      }
    } catch (error) {
      this.#doors.log.warn({ err: error, accountId }, 'messages of sandbox inboxes could not be looked for');
    }
  }
}

const lookouts = new WeakMap<Db, Lookout>();

/** Something has changed in this process: whoever waits need not wait for the next look. */
export function wakeWatchers(db: Db): void {
  lookouts.get(db)?.wake();
}

interface Wait {
  inbox: Inbox;
  after: number;
  signal: AbortSignal;
}

async function settled(
  doors: Pick<Outside, 'db' | 'log'>,
  { signal, ...wait }: Wait & { conditions?: Conditions },
): Promise<SandboxMessage | undefined> {
  const lookout = lookouts.get(doors.db) ?? new Lookout(doors);
  lookouts.set(doors.db, lookout);
  if (signal.aborted) return undefined;
  const { promise, resolve } = Promise.withResolvers<SandboxMessage | undefined>();
  const leave = lookout.add({ ...wait, resolve });
  signal.addEventListener('abort', () => resolve(undefined), { once: true });
  const message = await promise;
  leave();
  return message;
}

/** Resolves when the inbox is past a revision, or gone, or the signal says so. */
export async function changed(doors: Pick<Outside, 'db' | 'log'>, wait: Wait): Promise<void> {
  await settled(doors, wait);
}

/** The newest message past a revision that is asked for, once there is one; none when the inbox is gone or the signal says so. */
export const arrived = (
  doors: Pick<Outside, 'db' | 'log'>,
  wait: Wait & { conditions: Conditions },
): Promise<SandboxMessage | undefined> => settled(doors, wait);
