// Entries are written before their calls are answered, those of the same moment in one statement.
import type { Db } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { insertEntries, type AuditEntry } from './store.ts';

/** Entries of one statement. */
const TOGETHER_MAX = 200;

type Doors = Pick<Outside, 'db' | 'log'>;

interface Waiting {
  entry: AuditEntry;
  written(): void;
}

class Writer {
  #waiting: Waiting[] = [];
  #isWriting = false;

  /** Resolves when the entry is written, or is in the log of the program because it could not be. */
  write(doors: Doors, entry: AuditEntry): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ entry, written: resolve });
      if (!this.#isWriting) void this.#run(doors);
    });
  }

  async #run({ db, log }: Doors): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const together = this.#waiting.splice(0, TOGETHER_MAX);
      try {
        await insertEntries(
          db,
          together.map(({ entry }) => entry),
        );
      } catch (error) {
        for (const { entry } of together) log.error({ err: error, audit: entry }, 'an entry of the audit log is lost');
      }
      for (const { written } of together) written();
    }
    this.#isWriting = false;
  }
}

const writers = new WeakMap<Db, Writer>();

/** Writes an entry. Never rejects: what cannot be written stands whole in the log of the program, as an error. */
export function writeEntry(doors: Doors, entry: AuditEntry): Promise<void> {
  const writer = writers.get(doors.db) ?? new Writer();
  writers.set(doors.db, writer);
  return writer.write(doors, entry);
}
