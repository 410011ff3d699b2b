// `pg` connections into the embedded database, over message ports instead of sockets.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Duplex } from 'node:stream';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import pg from 'pg';

/** What `pg` takes for a socket. */
class PortStream extends Duplex {
  #port: MessagePort;

  constructor(worker: Worker) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1.on('message', (bytes: Uint8Array) => this.push(bytes)).on('close', () => this.destroy());
    worker.postMessage({ port: port2 }, [port2]);
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): void {}
  setKeepAlive(): void {}

  ref(): void {
    this.#port.ref();
  }

  unref(): void {
    this.#port.unref();
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#port.postMessage(chunk);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#port.postMessage(Buffer.concat(chunks.map((entry) => entry.chunk)));
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port.close();
    done(error);
  }
}

/** Opens (and creates) the database in `dir`. Throws when another process holds it. `pool.end()` stops the worker. */
export async function openEmbedded(dir: string): Promise<pg.Pool> {
  await mkdir(dirname(dir), { recursive: true });
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData: { dir }, execArgv: ['--disable-warning=ExperimentalWarning'] });
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The embedded database stopped with code ${code}.`)));
  });
  worker.removeAllListeners('error').removeAllListeners('exit');
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const pool = new pg.Pool({ max: 8, user: 'postgres', database: 'postgres', stream: () => new PortStream(worker) as never });
  worker.on('error', (error) => pool.emit('error', error, undefined as never));
  const end = pool.end.bind(pool) as () => Promise<void>;
  pool.end = (async () => {
    await end();
    worker.postMessage({});
    await exited;
  }) as typeof pool.end;
  return pool;
}
