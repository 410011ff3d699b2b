// Life of an engine that is a whole program: its own directory, sockets that lead into its network namespace, no
// orphans.
import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, closeSync, fchownSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makePlace, type EngineIsolation, type Identity } from './engine-isolation.ts';
import { RenderError } from '../errors.ts';
import { lowerPriority, lowerSessionPriority } from '../../priority/index.ts';

/** The message that starts the runner. */
export interface RunnerPlan {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  identity: Identity | undefined;
  /** Unix sockets out here that lead to a TCP port in there. */
  inward: Passage[];
  /** TCP ports in there that lead to a Unix socket out here. */
  outward: Passage[];
  /** Paths removed once the program has ended. */
  remove: string[];
}

interface Passage {
  port: number;
  socketPath: string;
}

/** What the runner says, one JSON object per line. */
export type RunnerEvent = { event: 'started'; pid: number } | { event: 'ended'; why: string; output: string };

/** How a program ended. */
export interface EngineEnd {
  why: string;
  /** Whether the process ended by itself, and was not killed. */
  isBroken: boolean;
}

interface EngineProgram {
  /** Names the program in errors and directories, such as `thunderbird`. */
  name: string;
  isolation: EngineIsolation;
  /** How many TCP ports of the program are reached from here. */
  inwardCount: number;
  /** How many TCP ports of the program's loopback lead to a socket of ours. */
  outwardCount: number;
  /** Fills the program's directory and says what to run in it. */
  prepare(place: EnginePlace): { command: string; args: string[]; env: Record<string, string> };
}

export interface EnginePlace {
  /** The program's own directory, writable by it; removed at its end. */
  dir: string;
  inward: Passage[];
  outward: Passage[];
}

export interface EngineProcess {
  readonly place: EnginePlace;
  readonly pid: number;
  /** Resolves with the reason once the program has ended, for whatever reason. */
  readonly ended: Promise<EngineEnd>;
  /**
   * Opens a stream to an inward port on which the program speaks first. Throws `RenderError` (`start_failed`) when it
   * says nothing within `timeoutMs`, or ends.
   */
  connect(passage: Passage, timeoutMs: number): Promise<Socket>;
  /** Kills the program and all it started; resolves when its directory is gone. Safe to call twice. */
  end(): Promise<void>;
}

const START_TIMEOUT_MS = 10_000;
const CONNECT_INTERVAL_MS = 50;
const OUTPUT_CHARS_SHOWN = 2_000;
const RUNNER = join(import.meta.dirname, 'engine-runner.ts');

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new TypeError('No port.')),
      );
    });
  });
}

/** Passages through fresh sockets; a port that is free out here is free in a namespace of its own, too. */
async function makePassages(count: number, socketDir: string): Promise<Passage[]> {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  return ports.map((port) => ({ port, socketPath: join(socketDir, `${port}.sock`) }));
}

/** Gives a file or directory to the user the program runs as. */
export function handOver(path: string, isolation: EngineIsolation): void {
  if (isolation.identity) chownSync(path, isolation.identity.uid, isolation.identity.gid);
}

/**
 * Writes a new file that only the user the program runs as can read. Throws when something of that name is there: in a
 * directory of the program's it may be a link to anywhere.
 */
export function writeForProgram(path: string, content: string | Uint8Array, isolation: EngineIsolation): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    if (isolation.identity) fchownSync(file, isolation.identity.uid, isolation.identity.gid);
  } finally {
    closeSync(file);
  }
}

function spawnRunner(plan: RunnerPlan, isolation: EngineIsolation): ChildProcess {
  const [command, ...args] = [...isolation.namespace, process.execPath, RUNNER, JSON.stringify(plan)];
  // Detached: a Ctrl-C meant for the service must not end a picture that is being drained.
  const runner = spawn(command!, args, { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  lowerPriority(runner.pid);
  lowerSessionPriority(runner.pid);
  return runner;
}

/**
 * Starts a program under a runner of its own. Throws `RenderError` (`start_failed`) when it does not start within 10 s.
 * The program ends with `end()`, by itself, or with this process, even if that is killed.
 */
export async function startEngineProcess(program: EngineProgram): Promise<EngineProcess> {
  const { isolation, name } = program;
  // A Unix socket's path may have about 100 bytes, so it can't lie in a data directory of any depth.
  const socketDir = makePlace('sockets', tmpdir());
  const dir = makePlace(name, isolation.dir, isolation.identity);
  const [inward, outward] = await Promise.all([
    makePassages(program.inwardCount, socketDir),
    makePassages(program.outwardCount, socketDir),
  ]);
  const place: EnginePlace = { dir, inward, outward };
  const { command, args, env } = program.prepare(place);
  const [first, ...rest] = [...isolation.leash, command, ...args];
  const remove = [dir, socketDir];
  const runner = spawnRunner(
    { command: first!, args: rest, env, cwd: dir, identity: isolation.identity, inward, outward, remove },
    isolation,
  );
  const { started, ended } = listenTo(runner, name);
  const end = async (): Promise<void> => {
    runner.stdin!.end();
    await ended;
    // The runner has removed them, unless it was killed.
    for (const path of remove) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  const timer = setTimeout(() => {
    runner.kill('SIGKILL');
  }, START_TIMEOUT_MS);
  try {
    const pid = await started;
    return {
      place,
      pid,
      ended,
      end,
      connect: (passage, timeoutMs) => connectWithin(passage.socketPath, timeoutMs, ended),
    };
  } catch (error) {
    await end();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Ends a program that did not come up; gives the error to throw, with what the program printed. */
export async function startFailure(
  started: Pick<EngineProcess, 'end' | 'ended'>,
  error: unknown,
): Promise<RenderError> {
  await started.end();
  const { why } = await started.ended;
  // A program that dies at once takes its sockets along, and whoever opens them meets that first.
  if (!(error instanceof RenderError)) return new RenderError('start_failed', 'The engine did not start.', why);
  const { cause } = error;
  const said = cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : '';
  return new RenderError('start_failed', error.message, said.includes(why) ? said : `${said}; the program: ${why}`);
}

function listenTo(runner: ChildProcess, name: string): { started: Promise<number>; ended: Promise<EngineEnd> } {
  let told: EngineEnd | undefined;
  const started = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<EngineEnd>();
  createInterface({ input: runner.stdout! }).on('line', (line) => {
    const event = JSON.parse(line) as RunnerEvent;
    if (event.event === 'started') started.resolve(event.pid);
    else
      told = {
        why: `${event.why}; it printed: ${event.output.trim().slice(-OUTPUT_CHARS_SHOWN)}`,
        isBroken: event.why !== 'SIGKILL',
      };
  });
  const finish = (reason: EngineEnd): void => {
    started.reject(new RenderError('start_failed', `${name} did not start.`, reason.why));
    ended.resolve(reason);
  };
  runner.stdin!.on('error', () => undefined); // `close` reports a runner that has gone
  runner.once('error', (error) => finish({ why: error.message, isBroken: false }));
  runner.once('close', (code, signal) =>
    finish(told ?? { why: `the runner ended with ${signal ?? `code ${code}`}`, isBroken: false }),
  );
  return { started: started.promise, ended: ended.promise };
}

/** The runner accepts at once and closes again while the program does not listen yet; a first byte is the proof. */
function tryConnect(socketPath: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path: socketPath });
    const fail = (): void => {
      socket.destroy();
      resolve(undefined);
    };
    socket
      .once('error', fail)
      .once('close', fail)
      .once('readable', () => {
        if (socket.readableLength === 0) return;
        socket.off('error', fail).off('close', fail);
        resolve(socket);
      });
  });
}

async function connectWithin(socketPath: string, timeoutMs: number, ended: Promise<EngineEnd>): Promise<Socket> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`nothing within ${timeoutMs} ms`), timeoutMs);
  const over = Promise.race([ended.then(({ why }) => why), late.promise]);
  try {
    for (;;) {
      const answer = await Promise.race([over, tryConnect(socketPath)]);
      if (typeof answer === 'string') throw new RenderError('start_failed', 'The engine does not answer.', answer);
      if (answer) return answer;
      await new Promise((resolve) => {
        setTimeout(resolve, CONNECT_INTERVAL_MS);
      });
    }
  } finally {
    clearTimeout(timer);
  }
}
