// Run as a process of its own, between the service and an engine that is a whole program: starts the program, carries
// byte streams into and out of its network namespace, and ends it when the service goes away. The service holds this
// process's standard input open; end of input means the service is gone, however it died.
import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, createServer, type ListenOptions, type NetConnectOpts, type Socket } from 'node:net';
import { lowerSessionPriority } from '../../priority/index.ts';
import type { RunnerEvent, RunnerPlan } from './engine-process.ts';

const OUTPUT_CHARS_MAX = 8192;

const plan = JSON.parse(process.argv[2] ?? '') as RunnerPlan;
let output = '';
let isEnding = false;
let hasToldEnd = false;

function tell(event: RunnerEvent): void {
  hasToldEnd ||= event.event === 'ended';
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

function carry(incoming: Socket, target: NetConnectOpts): void {
  const outgoing = connect(target);
  incoming.pipe(outgoing);
  outgoing.pipe(incoming);
  // A broken side closes the other one; whoever speaks through them sees the closed stream and judges.
  incoming.on('error', () => outgoing.destroy());
  outgoing.on('error', () => incoming.destroy());
  incoming.on('close', () => outgoing.destroy());
  outgoing.on('close', () => incoming.destroy());
}

function forward(from: ListenOptions, to: NetConnectOpts): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer((incoming) => carry(incoming, to));
    server.once('error', reject);
    server.listen(from, resolve);
  });
}

function startProgram(): ChildProcess {
  const { command, args, env, cwd, identity } = plan;
  // A process group of its own, so that its children end with it.
  const child = spawn(command, args, { env, cwd, ...identity, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  lowerSessionPriority(child.pid);
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString('latin1')).slice(-OUTPUT_CHARS_MAX);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return child;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The group is empty: everybody has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function end(child: ChildProcess): void {
  if (isEnding) return;
  isEnding = true;
  if (child.pid !== undefined) killGroup(child.pid);
  // What the program printed until it was killed may say why it had to be.
  if (!hasToldEnd) tell({ event: 'ended', why: 'SIGKILL', output });
  for (const path of plan.remove) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  process.exit(0);
}

async function run(): Promise<void> {
  for (const { socketPath, port } of plan.inward) await forward({ path: socketPath }, { host: '127.0.0.1', port });
  for (const { port, socketPath } of plan.outward) await forward({ host: '127.0.0.1', port }, { path: socketPath });
  const child = startProgram();
  child.once('spawn', () => tell({ event: 'started', pid: child.pid ?? 0 }));
  child.once('error', (error) => {
    tell({ event: 'ended', why: error.message, output });
    end(child);
  });
  child.once('close', (code, signal) => {
    tell({ event: 'ended', why: signal ?? `exit code ${code}`, output });
    end(child);
  });
  process.stdin
    .on('end', () => end(child))
    .on('error', () => end(child))
    .resume();
  process.stdout.on('error', () => end(child));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(child));
}

await run();
