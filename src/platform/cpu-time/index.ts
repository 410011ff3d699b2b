// How much work a child process has done, which a busy machine does not make more of, as it does of the time that
// passes.
import { readFile } from 'node:fs/promises';

/** Clock ticks of /proc in a second: the same on every Linux that Node runs on. */
const TICKS = 100;

/** CPU time of a process and of those children that it waited for, in ms; undefined where the system does not tell. */
export async function cpuMsOf(pid: number | undefined): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything; the fields after it are numbered from 3 in proc(5).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * (1000 / TICKS);
  } catch {
    // It has ended, or this is not Linux.
    return undefined;
  }
}

/** Ends when whatever else waits for the thread has had its turn: long work on the answering thread goes in parts. */
export { setImmediate as othersTurn } from 'node:timers/promises';
