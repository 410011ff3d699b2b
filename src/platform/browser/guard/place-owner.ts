// Whose a directory beside others in the temporary directory is: its name says so, and a later process can tell whether
// it is left over by an owner that was killed.
import { readlinkSync } from 'node:fs';

/** A process id means something within its namespace only: a container that shares the directory counts its own. */
function processNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0'; // a system without process namespaces
  }
}

const NAMESPACE = processNamespace();

/** This process, as the name of a directory says it. */
export const PLACE_OWNER = `${process.pid}-${NAMESPACE}`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the directory's name begins with `prefix` and an owner in this namespace that lives no more. */
export function isLeftOver(name: string, prefix: RegExp): boolean {
  const rest = name.replace(prefix, '');
  const owner = rest === name ? undefined : /^(\d+)-(\d+)-/.exec(rest);
  return owner?.[2] === NAMESPACE && !isAlive(Number(owner[1]));
}

/** What another user owns is theirs to remove. Throws every other error. */
export function unlessForeign(error: unknown): void {
  if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}
