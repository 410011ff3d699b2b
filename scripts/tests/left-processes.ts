// What a test file's process started and left behind: found on Linux by a mark in the environment, and by parentage
// for those whose environment was replaced, such as browsers.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface LeftProcess {
  pid: number;
  /** Its program, such as `node`. */
  name: string;
}

interface Process extends LeftProcess {
  parent: number;
  isMarked: boolean;
}

/** What `/proc` says of a process; undefined when it ended, is a zombie, or is somebody else's. */
function look(pid: number, mark: string): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // `pid (name) state parent …`; a name may hold spaces and parentheses.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return undefined;
    const isMarked = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
    // Some, such as browsers, write their arguments over with spaces between them.
    const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/);
    return { pid, name: basename(program), parent: Number(parent), isMarked };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) return undefined;
    throw error;
  }
}

/**
 * Running processes with `mark` (`NAME=value`) in their environment, and all that these started. Linux only; else none.
 */
export function findMarked(mark: string): LeftProcess[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const all = pids.flatMap((pid) => look(pid, mark) ?? []);
  const found = new Map(all.filter(({ isMarked }) => isMarked).map((one) => [one.pid, one]));
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const one of all) if (found.has(one.parent)) found.set(one.pid, one);
  }
  return [...found.values()].map(({ pid, name }) => ({ pid, name }));
}

/** Signals those that are still there; by default ends them without asking, since they have missed their time. */
export function kill(processes: readonly LeftProcess[], signal: NodeJS.Signals = 'SIGKILL'): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
