// Wall and CPU time of a piece of work, this process and its children together.
import { loadavg } from 'node:os';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  parent: number;
  ticks: number;
}

/** CPU ticks of every process, with those of its children that have ended. Linux only. */
function processTable(): Map<number, ProcessTimes> {
  const table = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number);
      table.set(Number(name), {
        parent: fields[1] ?? 0,
        ticks: [11, 12, 13, 14].reduce((sum, field) => sum + (fields[field] ?? 0), 0),
      });
    } catch {
      // The process ended between the two reads.
    }
  }
  return table;
}

/** CPU seconds of this process and all that descend from it. */
function cpuOfTree(): number {
  const table = processTable();
  const isOurs = (pid: number): boolean =>
    pid === process.pid || (table.has(pid) && isOurs((table.get(pid) as ProcessTimes).parent));
  let ticks = 0;
  for (const [pid, times] of table) if (isOurs(pid)) ticks += times.ticks;
  return ticks / TICKS_PER_SECOND;
}

export interface Measured<Result> {
  result: Result;
  wallSeconds: number;
  cpuSeconds: number;
}

const LOOK_MS = 250;

/** Runs the work once. */
export async function measure<Result>(work: () => Promise<Result>): Promise<Measured<Result>> {
  let last = cpuOfTree();
  let cpuSeconds = 0;
  const look = (): void => {
    const now = cpuOfTree();
    // A browser that is replaced takes its time with it; what was used since the last look is lost then.
    cpuSeconds += Math.max(0, now - last);
    last = now;
  };
  const looking = setInterval(look, LOOK_MS);
  const start = performance.now();
  try {
    const result = await work();
    const wallSeconds = (performance.now() - start) / 1000;
    look();
    return { result, wallSeconds, cpuSeconds };
  } finally {
    clearInterval(looking);
  }
}

/** The middle one of an odd number of figures. */
export function median(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] as number;
}

/** How busy the machine is, beside a figure. */
export const load = (): string => ` (load ${loadavg()[0]!.toFixed(1)})`;
