// What every request asks (whose key is it, is that account open?) is kept in memory for as long as nobody's access
// changed. Every change counts a row up in its own transaction; what is kept is used only while that count was seen
// unchanged within the last half second, so that a revocation holds here at once and in every other process within
// that.
import { sql, type Db, type Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { Recent } from '../../../platform/recent/index.ts';

/** How long another process may go on with what was revoked here. */
const CONFIRMED_MS = 500;
/** A change by hand, in the database itself, is seen after this at the latest. */
const KEPT_MS = 10_000;
/** Entries of each kind: keys that were found, and keys that were not. */
const ENTRIES_MAX = 10_000;

interface Entry<Value> {
  version: string;
  keptAt: number;
  value: Promise<Value | undefined>;
}

/** What one process knows of one database. */
class AccessMemory {
  readonly #db: Db;
  readonly #found = new Recent<Entry<unknown>>(ENTRIES_MAX);
  /** Apart, so that no flood of wrong keys pushes the right ones out. */
  readonly #missing = new Recent<Entry<unknown>>(ENTRIES_MAX);
  readonly #loading = new Map<string, Entry<unknown>>();
  #version = '';
  #confirmedAt = -Infinity;
  #asking: Promise<string> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Nothing that was seen before this counts any more. */
  forget(): void {
    this.#confirmedAt = -Infinity;
    this.#asking = undefined;
  }

  /** The count of changes, as it was at most half a second ago. */
  async #current(): Promise<string> {
    // The embedded database has this one process, which forgets at every change.
    const isConfirmed =
      this.#confirmedAt > -Infinity && (this.#db.isEmbedded || performance.now() - this.#confirmedAt < CONFIRMED_MS);
    if (isConfirmed) return this.#version;
    return (this.#asking ??= this.#ask());
  }

  #ask(): Promise<string> {
    const askedAt = performance.now();
    const asking = this.#db.ofAnyone
      .selectFrom('accessVersion')
      .select('version')
      .executeTakeFirst()
      .then((row) => {
        if (!row) throw new Error('The table access_version is empty.');
        // Unless something was forgotten meanwhile.
        if (this.#asking === asking) {
          this.#version = row.version;
          this.#confirmedAt = askedAt;
        }
        return row.version;
      })
      .finally(() => {
        if (this.#asking === asking) this.#asking = undefined;
      });
    return asking;
  }

  /** The result of `load`, kept until something changes. Equal requests at the same time share one load. */
  async recall<Value>(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    // Before the load: what changes while it runs must count as newer than it.
    const version = await this.#current();
    const isFresh = (entry: Entry<unknown> | undefined): entry is Entry<Value> =>
      entry?.version === version && performance.now() - entry.keptAt < KEPT_MS;
    const kept = [this.#loading, this.#found, this.#missing].map((entries) => entries.get(key)).find(isFresh);
    if (kept) return kept.value;
    const entry: Entry<Value> = { version, keptAt: performance.now(), value: load() };
    this.#loading.set(key, entry);
    try {
      const value = await entry.value;
      const [home, other] = value === undefined ? [this.#missing, this.#found] : [this.#found, this.#missing];
      home.set(key, entry);
      other.delete(key);
      return value;
    } finally {
      if (this.#loading.get(key) === entry) this.#loading.delete(key);
    }
  }
}

const memories = new WeakMap<Db, AccessMemory>();

function memoryOf(db: Db): AccessMemory {
  const memory = memories.get(db) ?? new AccessMemory(db);
  memories.set(db, memory);
  return memory;
}

/**
 * What `load` answers about somebody's access: kept for seconds, and never beyond a change. `undefined` is kept too.
 * The value is shared: only its own feature may change it.
 */
export function recallAccess<Value>(
  { db }: Pick<Outside, 'db'>,
  key: string,
  load: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  return memoryOf(db).recall(key, load);
}

/**
 * A transaction that changes who may do what: holds in this process when it resolves, in every other one within a
 * second. `false` says that nothing was changed.
 */
export async function changeAccess<Result>(
  { db }: Pick<Outside, 'db'>,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.tx(async (tx) => {
      const result = await work(tx);
      if (result !== false)
        await tx.ofAnyone
          .updateTable('accessVersion')
          .set((row) => ({ version: sql<string>`${row.ref('version')} + 1` }))
          .execute();
      return result;
    });
  } finally {
    memoryOf(db).forget();
  }
}
