// Who gets a processor first when there are too few: the process that answers, then what computes and renders for it.
import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Added to the nice value (POSIX): a process of this value gets about a third of what one of value 0 gets. */
export const NICE = 5;
const NICE_MAX = 19;

/**
 * Lowers the priority of a process that has just been started; what it starts afterwards has the same. A system that
 * refuses leaves it as it is.
 */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(NICE_MAX, getPriority() + NICE));
  } catch {
    // It has ended already, or the system allows no change: it computes as before.
  }
}

/**
 * Lowers the priority of a process that leads a session of its own, against other sessions: where Linux groups
 * processes by session (`sched_autogroup_enabled`), nice values count within one session only (sched(7)).
 */
export function lowerSessionPriority(pid: number | undefined): void {
  if (process.platform !== 'linux' || pid === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(NICE));
  } catch {
    // This kernel has no such groups, or the process is another user's: it computes as before.
  }
}
