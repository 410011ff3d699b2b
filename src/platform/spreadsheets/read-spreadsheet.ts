// Reads a spreadsheet that anybody may have made, in a process of its own that can be stopped at any point.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { invalid, type AppError } from '../errors/index.ts';
import type { ChildAnswer } from './parse-in-child.ts';
import { FILE_BYTES_MAX, PROBLEMS, type SpreadsheetProblem } from './problems.ts';

export interface SpreadsheetOptions {
  /** The field named in errors. Default: `csv`. */
  field?: string;
  /** Until the child is killed. Default: 5 seconds. */
  timeoutMs?: number;
  /** Resident memory at which the child is killed, where the system tells it. Default: 700 MB. */
  memoryBytesMax?: number;
  signal?: AbortSignal;
}

const CHILD = join(import.meta.dirname, 'parse-in-child.ts');
const HEAP_MEGABYTES_MAX = 320;
const MEMORY_BYTES_MAX = 700 * 1024 * 1024;
const MEMORY_INTERVAL_MS = 50;
const PAGE_BYTES = 4096;
/** Each may take the memory of a small server. */
const CHILDREN_MAX = 2;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * The rows of the first sheet of a CSV, TSV, XLS or XLSX file, cells as they are shown; row `n` of the sheet is `rows[n - 1]`.
 * The first bytes decide what it is, not its name. At most 10 MB, 50,000 rows and a million cells. Throws AppError
 * `invalid_request` that names the field and says what is wrong with the file.
 */
export async function readSpreadsheet(bytes: Uint8Array, options: SpreadsheetOptions = {}): Promise<string[][]> {
  const { field = 'csv', signal } = options;
  if (bytes.length === 0) throw refusal(field, PROBLEMS.empty);
  if (bytes.length > FILE_BYTES_MAX) throw refusal(field, PROBLEMS.too_large);
  const leave = await enter(signal);
  try {
    const answer = await askChild(bytes, options);
    if ('problem' in answer) throw refusal(field, PROBLEMS[answer.problem]);
    return answer.rows;
  } finally {
    leave();
  }
}

function refusal(field: string, problem: string): AppError {
  return invalid(field, `${problem}.`);
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

function startChild(): Child {
  // No rights but to read its own code, and nothing of this process's environment.
  const flags = [`--max-old-space-size=${HEAP_MEGABYTES_MAX}`, '--permission', '--allow-fs-read=*', '--no-warnings'];
  return spawn(process.execPath, [...flags, CHILD], { env: {}, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
}

async function askChild(bytes: Uint8Array, options: SpreadsheetOptions): Promise<ChildAnswer> {
  const { timeoutMs = 5_000, memoryBytesMax = MEMORY_BYTES_MAX, signal } = options;
  signal?.throwIfAborted();
  const child = startChild();
  let stopped: SpreadsheetProblem | undefined;
  const stop = () => {
    stopped ??= 'too_slow';
    child.kill('SIGKILL');
  };
  const timer = setTimeout(stop, timeoutMs);
  const watch = setInterval(() => void memoryOf(child).then((used) => (used > memoryBytesMax ? stop() : undefined)), MEMORY_INTERVAL_MS);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const { code, output, complaint } = await talk(child, bytes);
    signal?.throwIfAborted();
    if (stopped) return { problem: stopped };
    // A process that leaves its heap ends by a signal; one that ends by itself with an error is a fault of the program.
    if (code === null) return { problem: 'too_slow' };
    if (code !== 0) throw new Error(`The spreadsheet reader failed: ${complaint.slice(0, 2000)}`);
    return JSON.parse(output) as ChildAnswer;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal?.removeEventListener('abort', stop);
    child.kill('SIGKILL');
  }
}

/** Gives the child its input and waits for its end; rejects only when it could not be started. */
async function talk(child: Child, bytes: Uint8Array): Promise<{ code: number | null; output: string; complaint: string }> {
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  // A child that was killed leaves its pipe broken; its end says the rest.
  child.stdin.on('error', () => {});
  child.stdin.end(bytes);
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
