// Whether one more test file may run: one for each processor, and more while processors have nothing to do, since many
// files mostly wait (for mail, for a limit to pass, for a program to end).
import { cpus } from 'node:os';

/** Processors that must have had nothing to do, of all together, for one more file. */
const IDLE_MIN = 0.6;
/** Files at once, for each processor. */
const FILES_EACH_MAX = 2;

type Times = { idle: number; total: number };

function readTimes(): Times {
  let [idle, total] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, total };
}

/** Answers at each call how many of the processors had nothing to do since the last one. */
export function watchIdle(processors: number, read: () => Times = readTimes): () => number {
  let last = read();
  return () => {
    const now = read();
    const [idle, total] = [now.idle - last.idle, now.total - last.total];
    last = now;
    return total > 0 ? (idle / total) * processors : 0;
  };
}

/** Whether one more file may start beside those that run, one for each processor or more. */
export function hasRoom({ running, processors, idle }: Record<'running' | 'processors' | 'idle', number>): boolean {
  return running < processors * FILES_EACH_MAX && idle >= IDLE_MIN;
}
