// One command of Galley as a process of its own: a message that takes too much ends that process, not the server.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

const MAIN = join(import.meta.dirname, '../../../main.ts');
const RUN_MS_MAX = 120_000;
const KILL_AFTER_MS = 3_000;
/** A report of thousands of findings; what is longer ends the command. */
const OUTPUT_BYTES_MAX = 32 * 1024 * 1024;
const STDERR_CHARS_SHOWN = 60_000;

/** What a tool could not do, said to the assistant. */
export class ToolError extends Error {}

/**
 * Runs `galley <words>`. Throws {@link ToolError} when it takes longer than two minutes or writes more than 32 MiB; ends
 * it and throws the reason when `signal` aborts.
 */
export async function runGalley(words: readonly string[], signal: AbortSignal): Promise<Ran> {
  signal.throwIfAborted();
  // A group of its own: the browsers that it starts end with it.
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const kill = (how: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid!, how);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  let stopped: Error | undefined;
  let last: NodeJS.Timeout | undefined;
  const stop = (reason: Error): void => {
    if (stopped !== undefined || child.pid === undefined) return;
    stopped = reason;
    kill('SIGTERM');
    last = setTimeout(() => kill('SIGKILL'), KILL_AFTER_MS);
  };
  const onAbort = (): void => stop(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  const limit = setTimeout(
    () => stop(new ToolError(`It took longer than ${RUN_MS_MAX / 1000} seconds and was ended.`)),
    RUN_MS_MAX,
  );
  const out: Buffer[] = [];
  let size = 0;
  let stderr = '';
  child.stdout.on('data', (bytes: Buffer) => {
    size += bytes.length;
    if (size > OUTPUT_BYTES_MAX) stop(new ToolError('Its report is larger than 32 MiB.'));
    else out.push(bytes);
  });
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (stderr = (stderr + text).slice(0, STDERR_CHARS_SHOWN)));
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (stopped !== undefined) throw stopped;
    return { code, stdout: Buffer.concat(out).toString('utf8'), stderr };
  } finally {
    clearTimeout(limit);
    clearTimeout(last);
    signal.removeEventListener('abort', onAbort);
  }
}
