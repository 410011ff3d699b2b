// The embedded database: PGlite in a worker thread, one backend shared by many `pg` connections.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { SyncedFS } from './embedded-fs.ts';

const CHECKPOINT_MS = 60_000;
const VACUUM_MS = 600_000;
const { dir } = workerData as { dir: string };

// PGlite takes no lock, and two openers destroy each other's rows. SQLite's file lock is the kernel's: atomic, gone
// with the process.
const lock = new DatabaseSync(`${dir}.lock`);
try {
  lock.exec('pragma locking_mode = exclusive; begin exclusive');
} catch (cause) {
  throw new Error(`The data directory ${dir} is in use by another Galley process.`, { cause });
}

const settings = ['wal_sync_method=fsync', 'shared_buffers=64MB', 'max_wal_size=256MB'].flatMap((setting) => [
  '-c',
  setting,
]);
const startParams = [...PGlite.defaultStartParams.filter((param) => param !== '-F'), ...settings];
const db = await PGlite.create({ fs: new SyncedFS(dir), startParams });

/**
 * A backend that broke takes no statement any more: whoever started this thread starts it again, and it recovers from
 * its log.
 */
function fail(error: unknown): never {
  setImmediate(() => {
    throw error;
  });
  throw error;
}

// A connection owns the backend from its first message until ReadyForQuery outside a transaction.
let owner: Connection | null = null;
const waiting: { connection: Connection; resolve: () => void }[] = [];

function acquire(connection: Connection): Promise<void> | undefined {
  if (owner === connection) return undefined;
  if (owner) return new Promise((resolve) => waiting.push({ connection, resolve }));
  owner = connection;
  return undefined;
}

function release(): void {
  const next = waiting.shift();
  owner = next?.connection ?? null;
  next?.resolve();
}

const STARTUP = 0;
const QUERY = 0x51;
const SYNC = 0x53;
const TERMINATE = 0x58;

/** One `pg` connection: frames the wire protocol and hands whole batches to the backend. */
class Connection {
  #pending = Buffer.alloc(0);
  #started = false;
  #work: Promise<void> = Promise.resolve();
  #port: MessagePort;

  constructor(port: MessagePort) {
    this.#port = port;
    const then = (step: () => Promise<void>): void => {
      this.#work = this.#work.then(step).catch(fail);
    };
    port.on('message', (bytes: Uint8Array) => then(() => this.#receive(bytes)));
    port.on('close', () => then(() => this.#gone()));
  }

  async #receive(bytes: Uint8Array): Promise<void> {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    for (let batch = this.#take(); batch; batch = this.#take()) {
      if (batch.last === TERMINATE) return;
      await acquire(this);
      const message = batch.bytes;
      await db.runExclusive(() =>
        db.execProtocolRawStream(message, {
          onRawData: (data) => {
            const own = data.slice();
            this.#port.postMessage(own, [own.buffer]);
          },
        }),
      );
      if ([STARTUP, QUERY, SYNC].includes(batch.last) && !db.isInTransaction()) release();
    }
  }

  /** Every whole message that has arrived; the startup message has no type byte and goes alone. */
  #take(): { bytes: Uint8Array; last: number } | undefined {
    let end = 0;
    let last = STARTUP;
    for (;;) {
      const head = this.#started ? 1 : 0;
      if (this.#pending.length - end < head + 4) break;
      const size = head + this.#pending.readInt32BE(end + head);
      if (this.#pending.length - end < size) break;
      last = head ? (this.#pending[end] as number) : STARTUP;
      end += size;
      if (!head) {
        this.#started = true;
        break;
      }
    }
    if (!end) return undefined;
    const bytes = new Uint8Array(this.#pending.subarray(0, end));
    this.#pending = this.#pending.subarray(end);
    return { bytes, last };
  }

  async #gone(): Promise<void> {
    const place = waiting.findIndex((entry) => entry.connection === this);
    if (place >= 0) waiting.splice(place, 1);
    if (owner !== this) return;
    if (db.isInTransaction()) await db.exec('rollback');
    // A setting made with SET belongs to the one session that all share.
    await db.exec('reset all');
    release();
  }
}

/** What a server's background processes would do. Skipped while a transaction is open. */
function housekeeping(statement: string): void {
  if (!owner && !db.isInTransaction()) db.exec(statement).catch(() => undefined);
}

const timers = [
  setInterval(housekeeping, CHECKPOINT_MS, 'checkpoint'),
  setInterval(housekeeping, VACUUM_MS, 'vacuum (analyze)'),
];

parentPort?.on('message', async ({ port }: { port?: MessagePort }) => {
  if (port) {
    new Connection(port);
    return;
  }
  for (const timer of timers) clearInterval(timer);
  await db.close();
  lock.close();
  parentPort?.close();
});
parentPort?.postMessage('ready');
