// `pg` connections into the embedded database, over message ports instead of sockets. Its worker may die (a full disk,
// an error of its own): then it is started again, and recovers from its log as after a power cut.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { messageOf } from '../errors/index.ts';
import type { Log } from '../log/index.ts';
import { Connections } from './connections.ts';

const CONNECTIONS = 8;
const START_AGAIN_MS = [100, 500, 2000, 5000];

/** What `pg` takes for a socket. */
class PortStream extends Duplex {
  #port: MessagePort | undefined;

  constructor(worker: Worker | undefined) {
    super();
    if (!worker) return;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1.on('message', (bytes: Uint8Array) => this.push(bytes)).on('close', () => this.destroy());
    worker.postMessage({ port: port2 }, [port2]);
  }

  connect(): this {
    if (this.#port) queueMicrotask(() => this.emit('connect'));
    else this.destroy(Object.assign(new Error('The embedded database is not running.'), { code: 'ECONNREFUSED' }));
    return this;
  }

  setNoDelay(): void {}
  setKeepAlive(): void {}

  ref(): void {
    this.#port?.ref();
  }

  unref(): void {
    this.#port?.unref();
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#send([chunk]);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#send(chunks.map(({ chunk }) => chunk));
    done();
  }

  /** One copy, which goes over to the worker: the driver may use its own again. */
  #send(chunks: readonly Buffer[]): void {
    const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let length = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, length);
      length += chunk.length;
    }
    this.#port?.postMessage(bytes, [bytes.buffer]);
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port?.close();
    done(error);
  }
}

async function startWorker(dir: string): Promise<Worker> {
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: { dir },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The embedded database stopped with code ${code}.`)));
  });
  worker.removeAllListeners('error').removeAllListeners('exit');
  return worker;
}

/** Runs the worker for as long as the process. */
class Keeper {
  worker: Worker | undefined;
  #dir: string;
  #log: Log | undefined;
  #exited: Promise<void> = Promise.resolve();
  #isEnding = false;

  constructor(dir: string, log: Log | undefined) {
    this.#dir = dir;
    this.#log = log;
  }

  async start(): Promise<void> {
    const worker = await startWorker(this.#dir);
    worker.on('error', (error) => this.#log?.error({ err: error }, 'the embedded database failed'));
    this.#exited = new Promise((resolve) =>
      worker.once('exit', () => {
        this.worker = undefined;
        resolve();
        if (!this.#isEnding) void this.#startAgain();
      }),
    );
    this.worker = worker;
    if (this.#isEnding) worker.postMessage({});
  }

  async #startAgain(): Promise<void> {
    for (let tries = 0; !this.#isEnding; tries += 1) {
      await pause(START_AGAIN_MS[Math.min(tries, START_AGAIN_MS.length - 1)], undefined, { ref: false });
      try {
        if (!this.#isEnding) await this.start();
        return;
      } catch (error) {
        this.#log?.error({ message: messageOf(error) }, 'the embedded database could not be started again yet');
      }
    }
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    this.worker?.postMessage({});
    await this.#exited;
  }
}

class EmbeddedConnections extends Connections {
  #keeper: Keeper;

  constructor(keeper: Keeper, log: Log | undefined) {
    // One backend serves all connections in turn: how long a statement takes says nothing about it.
    super({
      config: {
        max: CONNECTIONS,
        user: 'postgres',
        database: 'postgres',
        stream: () => new PortStream(keeper.worker) as never,
      },
      statementMs: 0,
      log,
    });
    this.#keeper = keeper;
  }

  override async end(): Promise<void> {
    await super.end();
    await this.#keeper.end();
  }
}

/** Opens (and creates) the database in `dir`. Throws when another process holds it. `end()` stops the worker. */
export async function openEmbedded(dir: string, { log }: { log?: Log } = {}): Promise<Connections> {
  await mkdir(dirname(dir), { recursive: true });
  const keeper = new Keeper(dir, log);
  await keeper.start();
  return new EmbeddedConnections(keeper, log);
}
