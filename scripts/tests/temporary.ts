// Where tests write: in memory, if the machine has the room. Each app starts from a copy of a database, a thousand
// small files: in memory that takes a twentieth of the processor time, and what is synced waits for no disk.
import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** What the files that run at once take is a fraction of it. */
const FREE_BYTES_MIN = 4 * 2 ** 30;

/** Whether it is a file system in memory that can be written to, and that runs programs, as some tests do. */
function isUsable(mounts: string): boolean {
  const mount = mounts.split('\n').findLast((line) => line.split(' ')[1] === IN_MEMORY);
  const [, , type, options = ''] = mount?.split(' ') ?? [];
  return type === 'tmpfs' && options.split(',').includes('rw') && !options.split(',').includes('noexec');
}

/** What programs may still take, as the kernel estimates it; in a container, the machine's. */
function availableBytes(): number {
  const [, kilobytes = '0'] = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** The folder for temporary files of tests; the system's, or the one that `TMPDIR` names, where memory is short. */
export function findTemporary(): string {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return tmpdir();
  if (!isUsable(readFileSync('/proc/mounts', 'utf8'))) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  // Files in memory are memory: both must be there.
  return Math.min(bavail * bsize, availableBytes() / 2) < FREE_BYTES_MIN ? tmpdir() : IN_MEMORY;
}
