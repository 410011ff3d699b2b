// Reads a spreadsheet that anybody may have made, in a process of its own that can be stopped at any point.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { cpuMsOf } from '../cpu-time/index.ts';
import { AppError, invalid } from '../errors/index.ts';
import { lowerPriority } from '../priority/index.ts';
import type { ChildReply } from './parse-in-child.ts';
import { problemsOf, SHEET_LIMITS, type SheetSize, type SpreadsheetProblem } from './problems.ts';

interface SpreadsheetOptions {
  /** The field named in errors. Default: `csv`. */
  field?: string;
  /** `long`: 25 MB and 600,000 rows, for lists that programs wrote. Default: `usual`. */
  size?: SheetSize;
  /**
   * CPU time that the file may take, after which the child is killed; where the system does not tell it, six times as
   * much time. Default: 5 seconds.
   */
  timeoutMs?: number;
  /**
   * Time until the child is ready, and time until it has its turn to finish, after which the machine counts as busy.
   * Default: a minute.
   */
  patienceMs?: number;
  /** Resident memory at which the child is killed, where the system reports it. Default: 700 MB. */
  memoryBytesMax?: number;
  signal?: AbortSignal;
}

const CHILD = join(import.meta.dirname, 'parse-in-child.ts');
const HEAP_MEGABYTES_MAX = 320;
const MEMORY_BYTES_MAX = 700 * 1024 * 1024;
const INTERVAL_MS = 50;
const PAGE_BYTES = 4096;
/** Each may take the memory of a small server. */
const CHILDREN_MAX = 2;
/** Files that may wait for a place. */
const WAITING_MAX = 32;
const CPU_MS_MAX = 5_000;
const PATIENCE_MS = 60_000;
/** What stands for CPU time where the system does not tell it. */
const TIME_PER_CPU = 6;
const RETRY_SECONDS = 10;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * The rows of the first sheet of a CSV, TSV, XLS or XLSX file, cells as they are shown; row `n` of the sheet is
 * `rows[n - 1]`. The first bytes decide what it is, not its name. At most 10 MB, 50,000 rows and a million cells.
 * Throws AppError `invalid_request` that names the field and says what is wrong with the file, or `unavailable` when
 * the machine is too busy.
 */
export async function readSpreadsheet(bytes: Uint8Array, options: SpreadsheetOptions = {}): Promise<string[][]> {
  return JSON.parse(await readSpreadsheetAsJson(bytes, options)) as string[][];
}

/** The same, with the rows as JSON text, which the caller may parse in another process. */
export async function readSpreadsheetAsJson(bytes: Uint8Array, options: SpreadsheetOptions = {}): Promise<string> {
  const { field = 'csv', size = 'usual', signal } = options;
  const problems = problemsOf(SHEET_LIMITS[size]);
  if (bytes.length === 0) throw refusal(field, problems.empty);
  if (bytes.length > SHEET_LIMITS[size].fileBytes) throw refusal(field, problems.too_large);
  if (waiting.length >= WAITING_MAX) throw busy(field);
  const leave = await enter(signal);
  try {
    const answer = await askChild(bytes, options);
    if (answer === 'busy') throw busy(field);
    if ('problem' in answer) throw refusal(field, problems[answer.problem]);
    return answer.rows;
  } finally {
    leave();
  }
}

function refusal(field: string, problem: string): AppError {
  return invalid(field, `${problem}.`);
}

/** Nothing is wrong with the file. */
function busy(field: string): AppError {
  return new AppError(
    'unavailable',
    `${field} could not be read now: the service is busy. Try again in ${RETRY_SECONDS} seconds.`,
    { details: { field }, headers: { 'Retry-After': String(RETRY_SECONDS) } },
  );
}

const waiting: (() => void)[] = [];
let inside = 0;

/** Waits for one of the places; resolves with the function that gives it back. */
async function enter(signal: AbortSignal | undefined): Promise<() => void> {
  signal?.throwIfAborted();
  if (inside < CHILDREN_MAX) inside++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  return () => {
    const next = waiting.shift();
    // The place passes on without becoming free in between.
    if (next) next();
    else inside--;
  };
}

function startChild(size: SheetSize): Child {
  // No rights but to read its own code, and nothing of this process's environment.
  const flags = [`--max-old-space-size=${HEAP_MEGABYTES_MAX}`, '--permission', '--allow-fs-read=*', '--no-warnings'];
  const child = spawn(process.execPath, [...flags, CHILD, size], { env: {}, stdio: 'pipe', windowsHide: true });
  lowerPriority(child.pid);
  return child;
}

type Stop = 'too_slow' | 'busy';

/** Ends the child when it takes too much CPU or memory, or gets too little of the machine. */
function watch(
  child: Child,
  { timeoutMs = CPU_MS_MAX, memoryBytesMax = MEMORY_BYTES_MAX, patienceMs = PATIENCE_MS }: SpreadsheetOptions,
) {
  let reason: Stop | undefined;
  const stop = (why: Stop): void => {
    reason ??= why;
    child.kill('SIGKILL');
  };
  let patience = setTimeout(stop, patienceMs, 'busy');
  let start: { cpuMs: number | undefined } | undefined;
  const look = async (): Promise<void> => {
    if ((await memoryOf(child)) > memoryBytesMax) stop('too_slow');
    const cpuMs = await cpuMsOf(child.pid);
    if (start?.cpuMs !== undefined && cpuMs !== undefined && cpuMs - start.cpuMs > timeoutMs) stop('too_slow');
  };
  const timer = setInterval(() => void look(), INTERVAL_MS);
  return {
    stop,
    reason: () => reason,
    /** Nothing before this is the file's. */
    async ready(): Promise<void> {
      start = { cpuMs: await cpuMsOf(child.pid) };
      clearTimeout(patience);
      patience =
        start.cpuMs === undefined
          ? setTimeout(stop, timeoutMs * TIME_PER_CPU, 'too_slow')
          : setTimeout(stop, patienceMs, 'busy');
    },
    end(): void {
      clearTimeout(patience);
      clearInterval(timer);
      child.kill('SIGKILL');
    },
  };
}

type ChildAnswer = { rows: string } | { problem: SpreadsheetProblem };

async function askChild(bytes: Uint8Array, options: SpreadsheetOptions): Promise<ChildAnswer | 'busy'> {
  const { signal, size = 'usual', timeoutMs = CPU_MS_MAX } = options;
  signal?.throwIfAborted();
  const child = startChild(size);
  const watched = watch(child, options);
  const abort = (): void => watched.stop('busy');
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const { code, output, complaint } = await talk(child, bytes, () => watched.ready());
    signal?.throwIfAborted();
    const stopped = watched.reason();
    if (stopped) return stopped === 'busy' ? 'busy' : { problem: stopped };
    // A process that leaves its heap ends by a signal; one that ends by itself with an error is a fault of the program.
    if (code === null) return { problem: 'too_slow' };
    if (code !== 0) throw new Error(`The spreadsheet reader failed: ${complaint.slice(0, 2000)}`);
    // The line end that says that the child is ready comes first.
    const end = output.indexOf('\n', 1);
    const { cpuMs, problem } = JSON.parse(output.slice(1, end)) as ChildReply;
    if (cpuMs > timeoutMs) return { problem: 'too_slow' };
    return problem === undefined ? { rows: output.slice(end + 1) } : { problem };
  } finally {
    watched.end();
    signal?.removeEventListener('abort', abort);
  }
}

/** Gives the child its input when it is ready, and waits for its end; rejects only when it could not be started. */
async function talk(
  child: Child,
  bytes: Uint8Array,
  ready: () => Promise<void>,
): Promise<{ code: number | null; output: string; complaint: string }> {
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  // A child that was killed leaves its pipe broken; its end says the rest.
  child.stdin.on('error', () => {});
  child.stdout.once('data', () => void ready().finally(() => child.stdin.end(bytes)));
  const [code, output, complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, output, complaint };
}

/** Resident bytes of the child; 0 where the system does not tell. */
async function memoryOf(child: Child): Promise<number> {
  try {
    const fields = (await readFile(`/proc/${child.pid}/statm`, 'latin1')).split(' ');
    return Number(fields[1] ?? 0) * PAGE_BYTES;
  } catch {
    // The child has ended, or this is not Linux.
    return 0;
  }
}
