// The embedded database: PGlite in a worker thread, one backend shared by many `pg` connections.
import { randomBytes } from 'node:crypto';
import { constants, cpSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { openDoor, removeCopy } from './embedded-door.ts';
import { SyncedFS } from './embedded-fs.ts';
import { isOutdated, isRefusal, PreparedStatements } from './embedded-statements.ts';

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
let owner: object | null = null;
const waiting: { connection: object; resolve: () => void }[] = [];

function acquire(connection: object): Promise<void> | undefined {
  if (owner === connection) return undefined;
  if (owner) return new Promise((resolve) => waiting.push({ connection, resolve }));
  owner = connection;
  return undefined;
}

const statements = new PreparedStatements();
/** A plan suits the sizes that tables had when it was made: after so many uses, or so long, all are made anew. */
const PLANS = { usesMax: 1_000, ageMsMax: 10_000 };
let plansUsed = 0;
let plannedAt = performance.now();

/** The answer comes in pieces, of which the first begins with a message. */
async function executeRaw(message: Uint8Array, answer: (data: Uint8Array) => void): Promise<void> {
  await db.runExclusive(() => db.execProtocolRawStream(message, { onRawData: (data) => answer(data.slice()) }));
}

/** Outside a transaction, before the next statement of the connection that owns the backend. */
async function renewPlans(): Promise<void> {
  const isDue = plansUsed >= PLANS.usesMax || (plansUsed > 0 && performance.now() - plannedAt > PLANS.ageMsMax);
  const upkeep = [...statements.takeDropped().map((name) => `deallocate ${name}`), ...(isDue ? ['discard plans'] : [])];
  if (isDue) [plansUsed, plannedAt] = [0, performance.now()];
  if (upkeep.length > 0) await db.exec(upkeep.join('; '));
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
      await this.#execute(batch.bytes);
      if ([STARTUP, QUERY, SYNC].includes(batch.last) && !db.isInTransaction()) release();
    }
  }

  async #execute(bytes: Uint8Array): Promise<void> {
    const isFree = !db.isInTransaction();
    if (isFree) await renewPlans();
    const rewritten = statements.rewrite(bytes);
    if (!rewritten) return executeRaw(bytes, (data) => this.#send(data));
    plansUsed += 1;
    const refusal: Uint8Array[] = [];
    let isFirst = true;
    await executeRaw(rewritten.bytes, (data) => {
      if (isFirst ? isRefusal(data) : refusal.length > 0) refusal.push(data);
      else this.#send(data);
      isFirst = false;
    });
    if (refusal.length === 0) return;
    statements.forget(rewritten);
    if (isFree && isOutdated(refusal[0] as Uint8Array)) await executeRaw(bytes, (data) => this.#send(data));
    else for (const data of refusal) this.#send(data);
  }

  #send(own: Uint8Array): void {
    this.#port.postMessage(own, [own.buffer as ArrayBuffer]);
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

function bytesOf(path: string): number {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}

/** The files as they are between two statements. Nobody is answered while they are copied. */
async function copyFiles(): Promise<string> {
  const copy = `${dir}.copy-${randomBytes(6).toString('hex')}`;
  const copier = {};
  await acquire(copier);
  try {
    // What was committed is then in the files themselves, and the copy has little to recover.
    await db.exec('checkpoint');
    const { bavail, bsize } = statfsSync(dirname(dir));
    const [needed, free] = [bytesOf(dir), bavail * bsize];
    if (needed > free) throw new Error(`its files take ${needed} bytes, and ${free} are free on their disk.`);
    cpSync(dir, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
    return copy;
  } catch (error) {
    removeCopy(copy);
    throw error;
  } finally {
    release();
  }
}

for (const name of readdirSync(dirname(dir)))
  if (name.startsWith(`${basename(dir)}.copy-`)) removeCopy(join(dirname(dir), name));
const door = openDoor(dir, copyFiles);

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
  door.close();
  await db.close();
  lock.close();
  parentPort?.close();
});
parentPort?.postMessage('ready');
