// One computing child process as its parent sees it: it is started, given orders, watched and ended.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ComputeError, tookTooLong, tookTooMuch, type ComputeLimits } from './compute-error.ts';
import type { Computation } from './computation.ts';
import { inParts, PartsTaken, type ListPart } from './long-lists.ts';
import { childEnvironment } from '../config/child-environment.ts';
import { lowerPriority } from '../priority/index.ts';
import { errorFrom, type Begun, type Reply } from './wire.ts';

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
/** What Node takes besides its heap, and buffers beside the heap, in KiB. */
const BESIDE_HEAP_KIB = 600_000 + 768 * 1024;
/** The system ends a child after this much processor time, so that it does not outlive a killed parent for long. */
const CPU_SECONDS_MAX = 900;
/** A computation may take this many times its processor time on the clock: it may wait for a busy machine so long. */
const WALL_FACTOR = 4;
const TICKS_PER_SECOND = 100;
const STDERR_LENGTH_MAX = 4_000;
/** The signals that end a process when V8 or the system denies it memory. */
const MEMORY_SIGNALS = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL', 'SIGSEGV', 'SIGBUS']);

function start(memoryMb: number): ChildProcess {
  const flags = [`--max-old-space-size=${memoryMb}`, '--expose-gc', '--disable-warning=ExperimentalWarning'];
  const node = [process.execPath, ...flags, CHILD];
  const bounds =
    `ulimit -c 0; ulimit -t ${CPU_SECONDS_MAX} 2>/dev/null; ulimit -d ` +
    `${memoryMb * 1024 + BESIDE_HEAP_KIB} 2>/dev/null; exec "$@"`;
  const [program = '', ...args] = process.platform === 'win32' ? node : ['sh', '-c', bounds, 'sh', ...node];
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    env: childEnvironment(),
  });
  lowerPriority(child.pid);
  return child;
}

/** CPU seconds that the process took, all its threads together; undefined where the system does not say. */
function cpuSeconds(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    // The process has just ended; its `exit` event reports that.
    return undefined;
  }
}

interface Open {
  id: number;
  limits: ComputeLimits;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

export class EngineChild {
  #child: ChildProcess;
  #open: Open | undefined;
  #orders = 0;
  #taken = new PartsTaken();
  #said = '';
  #ended: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Resolves when the child takes orders; rejects when it ends before that. */
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
  /** The memory that the child held after its last order. */
  rssBytes = 0;

  constructor(memoryMb: number) {
    this.#child = start(memoryMb);
    const ready = Promise.withResolvers<void>();
    const exited = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.exited = exited.promise;
    ready.promise.catch(() => {});
    const end = (error: Error): void => {
      this.#ended ??= error;
      ready.reject(this.#ended);
      this.#settle()?.reject(this.#ended);
    };
    this.#child.on('error', (error) => {
      end(new ComputeError('stopped', 'The process that computes could not be used.', error));
      // An order that could not be sent is an error too, and then the process may live still.
      if (this.#child.pid === undefined) exited.resolve();
    });
    this.#child.on('exit', (code, signal) => {
      end(this.#reasonOf(code, signal));
      exited.resolve();
    });
    this.#child.on('message', (reply: Reply) => {
      if ('ready' in reply) ready.resolve();
      else if ('partOf' in reply) this.#taken.take(reply);
      else if (!('begun' in reply)) this.#take(reply);
      else if (this.#open?.id === reply.begun) this.#watch(this.#open.limits);
    });
    this.#child.stderr?.on(
      'data',
      (chunk: Buffer) => (this.#said = (this.#said + chunk.toString('utf8')).slice(-STDERR_LENGTH_MAX)),
    );
    this.#keepAlive(false);
    (this.#child.stderr as unknown as { unref(): void } | null)?.unref();
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Runs one computation; the child must be idle. An overrun, an abort and a crash end the child. */
  async run<Input, Output>(
    { module, name }: Computation<Input, Output>,
    input: Input,
    { limits, signal }: { limits: ComputeLimits; signal?: AbortSignal | undefined },
  ): Promise<Output> {
    this.#keepAlive(true);
    await this.ready.catch((error: unknown) => {
      this.#keepAlive(false);
      throw error;
    });
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // The child may end while parts are on their way to it; it is awaited below.
    promise.catch(() => {});
    this.#open = { id: (this.#orders += 1), limits, resolve, reject };
    const stop = (): void => this.kill(signal?.reason as Error);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      signal?.throwIfAborted();
      const { id } = this.#open;
      const whole = inParts(input, id);
      for (const part of whole.parts) {
        this.#child.send(part);
        await turn();
        signal?.throwIfAborted();
      }
      this.#child.send({ id, module, name, input: whole.value });
      return (await promise) as Output;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#settle();
      this.#keepAlive(false);
    }
  }

  /** Kills the child; its computation is rejected with the error. */
  kill(error: Error): void {
    this.#ended ??= error;
    this.#child.kill('SIGKILL');
  }

  /** Tells the child to exit. */
  dismiss(): void {
    this.#ended ??= new ComputeError('stopped', 'The process that computes was dismissed.');
    // Whoever waits for its end must not be left by a process that has nothing else to do.
    this.#child.ref();
    if (this.#child.connected) this.#child.disconnect();
  }

  #settle(): Open | undefined {
    clearTimeout(this.#timer);
    const open = this.#open;
    this.#open = undefined;
    return open;
  }

  #take(reply: Exclude<Reply, { ready: true } | Begun | ListPart>): void {
    if (this.#open?.id !== reply.id) return;
    this.rssBytes = reply.rssBytes;
    const open = this.#settle();
    if (!('error' in reply)) return open?.resolve(this.#taken.filled(reply.id, reply.output));
    const error = errorFrom(reply.error);
    open?.reject(reply.error.isOutOfMemory ? tookTooMuch(open.limits, error) : error);
  }

  /** Counts CPU where it can be counted, so that a busy machine does not make a message too slow. */
  #watch(limits: ComputeLimits): void {
    const before = cpuSeconds(this.#child.pid) ?? 0;
    const began = performance.now();
    const look = (): void => {
      const wall = (performance.now() - began) / 1000;
      const used = (cpuSeconds(this.#child.pid) ?? Number.POSITIVE_INFINITY) - before;
      if (used >= limits.seconds || wall >= limits.seconds * WALL_FACTOR) return this.kill(tookTooLong(limits));
      this.#timer = setTimeout(
        look,
        Math.max(50, Math.min(limits.seconds - used, limits.seconds * WALL_FACTOR - wall) * 1000),
      );
    };
    this.#timer = setTimeout(look, limits.seconds * 1000);
  }

  #reasonOf(code: number | null, signal: NodeJS.Signals | null): Error {
    const cause = new Error(`The process ended with ${signal ?? code}. ${this.#said}`);
    if (signal === 'SIGXCPU' && this.#open) return tookTooLong(this.#open.limits);
    if (MEMORY_SIGNALS.has(signal) && this.#open) return tookTooMuch(this.#open.limits, cause);
    return new ComputeError('stopped', 'The process that computes ended unexpectedly.', cause);
  }

  /** An idle child must not keep this process from ending. */
  #keepAlive(isBusy: boolean): void {
    this.#child[isBusy ? 'ref' : 'unref']();
    this.#child.channel?.[isBusy ? 'ref' : 'unref']();
  }
}
