// A program of the system, run for a test: found, started on free ports, waited for, and gone afterwards.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { delimiter, join } from 'node:path';

interface Daemon {
  /** What it wrote so far. */
  output(): string;
  /** Ends it and everything it started; resolves when it is gone. */
  close(): Promise<void>;
}

interface DaemonOptions {
  command: string;
  args: readonly string[];
  /** Accepting connections there means ready. */
  port: number;
  startTimeoutMs?: number;
}

/** Path of a program, or undefined. Daemons live in directories that are not on everybody's PATH. */
export function findProgram(name: string): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/bin'];
  return directories
    .filter(Boolean)
    .map((directory) => join(directory, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Below what systems pick themselves for connections and for port 0: those of other tests do not come in between. */
const PORTS = { first: 20_000, count: 12_000 };

async function isFree(port: number): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const server = net.createServer();
  server.once('error', (error: NodeJS.ErrnoException) =>
    error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
  );
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}

/**
 * Ports of loopback that were free a moment ago, all different. Only this function gives out ports of their range, so
 * that one stays free until its program listens, and while the program is down for a while.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = PORTS.first + randomInt(PORTS.count);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

const NOBODY = 65_534;
export const isRoot = process.getuid?.() === 0;

/**
 * A directory of its own in a short path, as sockets need; when root runs the test, the daemon's user may write there.
 */
export async function daemonDirectory(name: string): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(`/tmp/galley-${name}-`);
  await chmod(path, 0o755);
  if (isRoot) await chown(path, NOBODY, NOBODY);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Starts a program that stays in the foreground. Rejects with its output when it ends or is not ready in time. */
export async function startDaemon({ command, args, port, startTimeoutMs = 30_000 }: DaemonOptions): Promise<Daemon> {
  // A process group of its own, so that all of it can be ended.
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => void (output.length < 5000 && output.push(text.toString())));
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      output.push(String(error));
      resolve();
    });
  });
  const close = async () => {
    endGroup(child, 'SIGTERM');
    const timer = setTimeout(() => endGroup(child, 'SIGKILL'), 5000);
    await ended;
    clearTimeout(timer);
    endGroup(child, 'SIGKILL');
  };
  const deadline = Date.now() + startTimeoutMs;
  let isEnded = false;
  void ended.then(() => (isEnded = true));
  while (!(await accepts(port))) {
    if (!isEnded && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    await close();
    throw new Error(`${command} did not start:\n${output.join('').slice(-4000)}`);
  }
  return { output: () => output.join(''), close };
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = net.connect(port, '127.0.0.1');
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
