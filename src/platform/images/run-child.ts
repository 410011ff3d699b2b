// Runs a program on bytes: input to its standard input, output from its standard output, killed when it takes too much.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cpuMsOf } from '../cpu-time/index.ts';
import { lowerPriority } from '../priority/index.ts';

type ChildFailure = 'missing' | 'timeout' | 'too_large' | 'failed';

export type ChildOutcome = { ok: true; output: Buffer } | { ok: false; reason: ChildFailure; error: string };

interface ChildLimits {
  /** What the program may take: CPU time where the system tells it, so that a busy machine ends nothing; else time. */
  timeoutMs: number;
  outputBytesMax: number;
}

/** Nothing of the environment is handed on but where programs are found. */
const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin' };
const ERROR_LENGTH_MAX = 2_000;
/** How many times its CPU time a job may take on a busy machine. */
const TIME_PER_CPU = 6;
const LOOK_MS_MIN = 50;

/**
 * The output, or why there is none: the program is not there, ran too long, wrote too much, or failed. Never rejects.
 */
export function runChild(
  command: readonly string[],
  input: Uint8Array,
  { timeoutMs, outputBytesMax }: ChildLimits,
): Promise<ChildOutcome> {
  const { promise, resolve } = Promise.withResolvers<ChildOutcome>();
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: 'pipe', env: ENV });
  lowerPriority(child.pid);
  const chunks: Buffer[] = [];
  let size = 0;
  let said = '';
  const stop = (outcome: ChildOutcome): void => {
    resolve(outcome);
    child.kill('SIGKILL');
  };
  const tooLong = `${program} ran longer than ${timeoutMs} ms`;
  const endMs = performance.now() + timeoutMs * TIME_PER_CPU;
  const look = async (): Promise<void> => {
    const leftMs = timeoutMs - ((await cpuMsOf(child.pid)) ?? timeoutMs);
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (leftMs <= 0 || performance.now() >= endMs) stop({ ok: false, reason: 'timeout', error: tooLong });
    else timer = setTimeout(() => void look(), Math.max(LOOK_MS_MIN, leftMs));
  };
  let timer = setTimeout(() => void look(), timeoutMs);
  child.on('error', (error: NodeJS.ErrnoException) =>
    stop({ ok: false, reason: error.code === 'ENOENT' ? 'missing' : 'failed', error: error.message }),
  );
  // A program that ends early closes its input; its exit says why.
  child.stdin.on('error', () => {});
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < ERROR_LENGTH_MAX) said += chunk.toString('utf8').slice(0, ERROR_LENGTH_MAX - said.length);
  });
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > outputBytesMax)
      stop({ ok: false, reason: 'too_large', error: `${program} wrote more than ${outputBytesMax} bytes` });
    else chunks.push(chunk);
  });
  child.on('close', (code, signal) => {
    clearTimeout(timer);
    if (code === 0 && size > 0) resolve({ ok: true, output: Buffer.concat(chunks) });
    else resolve({ ok: false, reason: 'failed', error: said || `${program} ended with ${signal ?? code}` });
  });
  child.stdin.end(input);
  return promise;
}

const IMAGE_CHILD = fileURLToPath(new URL('image-child.ts', import.meta.url));

/** What the process may hold besides its code, in KiB: Node alone takes 600,000. */
const MEMORY_KIB_MAX = { svg: 1_200_000, gifsicle: 1_700_000 };

/**
 * Runs one of the jobs of `image-child.ts` in a process of its own. Its memory is bounded by the system, where that
 * knows such a bound: a drawing of a few hundred bytes may carry a picture that unfolds to gigabytes.
 */
export function runImageChild(
  job: readonly [keyof typeof MEMORY_KIB_MAX, ...string[]],
  input: Uint8Array,
  limits: ChildLimits,
): Promise<ChildOutcome> {
  const command = [process.execPath, '--max-old-space-size=256', IMAGE_CHILD, ...job];
  if (process.platform === 'win32') return runChild(command, input, limits);
  return runChild(
    ['sh', '-c', `ulimit -c 0; ulimit -d ${MEMORY_KIB_MAX[job[0]]} 2>/dev/null; exec "$@"`, 'sh', ...command],
    input,
    limits,
  );
}
