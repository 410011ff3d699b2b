// What a process and its children use, from Linux's /proc. Elsewhere the answers are undefined.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** What one process tree has used and holds now. */
export interface TreeUsage {
  /** Milliseconds of processor time, by process: one that ends takes its figure with it. */
  cpuMs: ReadonlyMap<number, number>;
  /** Memory that the processes wrote themselves, or share with each other. */
  memoryBytes: number;
  /** What the largest process has of the memory that `prlimit --data` bounds. */
  dataBytesMost: number;
}

/** Linux counts processor time for programs in hundredths of a second, whatever its own clock. */
const MS_PER_TICK = 10;

/** Reads a /proc file; a process that ended meanwhile reads as empty. */
async function readProc(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    return wordless(error, '');
  }
}

/**
 * The same at once: the kernel answers from memory, in a tenth of the time that handing the work to another thread
 * takes.
 */
function readNow(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return wordless(error, '');
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch (error) {
    return wordless(error, []);
  }
}

/** A process that ended meanwhile says nothing. */
function wordless<Nothing>(error: unknown, nothing: Nothing): Nothing {
  if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return nothing;
  throw error;
}

/**
 * The fields of a `stat` file from the state on: `pid (any name) state ppid …`, where the name may hold spaces and
 * brackets.
 */
function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The process and all its living descendants, parents first. */
export async function processTree(pid: number): Promise<number[]> {
  return treeNow(pid);
}

/** The same at once: milliseconds for hundreds of processes. */
export function treeNow(pid: number): number[] {
  if (process.platform !== 'linux') return [pid];
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statFields(readNow(`/proc/${name}/stat`))[1]);
    if (Number.isInteger(parent)) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [pid];
  for (let index = 0; index < tree.length; index += 1) tree.push(...(children.get(tree[index]!) ?? []));
  return tree;
}

/** Proportional resident bytes of a process tree (shared pages are counted once), or undefined where unknown. */
export async function memoryOfTree(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const sizes = await Promise.all(
    (await processTree(pid)).map(async (member) => {
      const rollup = await readProc(`/proc/${member}/smaps_rollup`);
      return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * What these processes have used, or undefined where unknown. Cheaper than `memoryOfTree`, but counts a shared page
 * with each sharer.
 */
export function usageOf(pids: readonly number[]): TreeUsage | undefined {
  if (process.platform !== 'linux') return undefined;
  const cpuMs = new Map<number, number>();
  let memoryBytes = 0;
  let dataBytesMost = 0;
  for (const member of pids) {
    const fields = statFields(readNow(`/proc/${member}/stat`));
    if (fields.length > 12) cpuMs.set(member, (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK);
    const status = readNow(`/proc/${member}/status`);
    for (const [, kilobytes] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm))
      memoryBytes += Number(kilobytes) * 1024;
    dataBytesMost = Math.max(dataBytesMost, Number(/^VmData:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024);
  }
  return { cpuMs, memoryBytes, dataBytesMost };
}

/**
 * Whether any thread of these processes runs, or would run if it were given a processor; waiting for a disk counts as
 * running.
 */
export function wantsProcessor(pids: Iterable<number>): boolean {
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      const [state] = statFields(readNow(`/proc/${pid}/task/${thread}/stat`));
      if (state === 'R' || state === 'D') return true;
    }
  }
  return false;
}
