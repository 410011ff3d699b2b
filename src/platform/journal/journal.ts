// What this process was doing with what it held, on its own disk: `? name` before the step that cannot be taken back,
// `= name code …` after it. Whoever reads it after a crash knows what came of it, and what nobody knows. A file belongs
// to the process that has its lock; the lock goes with the process.
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Journal {
  /** Throws when the disk does not take it: the step must not be taken then. */
  began(name: string): void;
  ended(name: string, end: { code: number; about: unknown }): void;
  /** They are known elsewhere from now on. */
  settled(names: readonly string[]): void;
  /**
   * The files go, unless something was not settled: then they wait for whoever adopts them. From then on `began` and
   * `ended` throw.
   */
  close(): void;
}

/** What a process that is gone left. */
export interface LostJournal {
  /** Of that process. */
  owner: string;
  /** What was said of its end; `uncertain`: it began, and nobody wrote how it ended. */
  fateOf(name: string): { about: unknown } | 'uncertain' | undefined;
  remove(): void;
}

const SEGMENT_BYTES = 4 * 1024 * 1024;
const OWN_LOCK_TRIES = 40;
const OWN_LOCK_WAIT_MS = 25;
/** Words without line breaks. */
const NAME = /^\S+( \S+)*$/;

/** SQLite's file lock is the kernel's: atomic, gone with the process. Undefined: another process has it. */
function tryLock(path: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(path);
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
    return lock;
  } catch {
    lock.close();
    return undefined;
  }
}

function removeFiles(dir: string, worker: string): void {
  for (const name of readdirSync(dir)) if (name.startsWith(`${worker}.`)) rmSync(join(dir, name), { force: true });
}

/**
 * The lock of a journal that is begun. Another process that looks for journals of dead ones may hold it for a moment,
 * right after its file was made, and removes that file: then it is made again.
 */
function lockOwn(path: string): DatabaseSync | undefined {
  for (let tries = 0; tries < OWN_LOCK_TRIES; tries += 1) {
    const lock = tryLock(path);
    if (lock && existsSync(path)) return lock;
    lock?.close();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OWN_LOCK_WAIT_MS);
  }
  return undefined;
}

/** Opens the journal of a process, whose name is its own. */
export function openJournal(dir: string, worker: string): Journal {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lock = lockOwn(join(dir, `${worker}.lock`));
  if (!lock) throw new Error(`The journal of ${worker} is in use.`);
  const pathOf = (segment: number): string => join(dir, `${worker}.${segment}.journal`);
  /** The segments that name a delivery: what was begun in one may have ended in the next. */
  const open = new Map<string, number[]>();
  /** How many deliveries each segment names that are not settled. */
  const counts = new Map<number, number>();
  let current = 0;
  let file = openSync(pathOf(current), 'ax', 0o600);
  let bytes = 0;
  let isClosed = false;

  const forget = (segment: number): void => {
    if (segment === current || (counts.get(segment) ?? 0) > 0) return;
    counts.delete(segment);
    rmSync(pathOf(segment), { force: true });
  };
  const turnPage = (): void => {
    const next = openSync(pathOf(current + 1), 'ax', 0o600);
    closeSync(file);
    file = next;
    bytes = 0;
    current += 1;
    forget(current - 1);
  };

  const write = (name: string, line: string): void => {
    if (!NAME.test(name)) throw new Error(`"${name}" is no name for a journal.`);
    // The number of the file may be that of another by now.
    if (isClosed) throw new Error('The journal is closed.');
    if (bytes > SEGMENT_BYTES) turnPage();
    bytes += writeSync(file, line);
    const segments = open.get(name) ?? [];
    if (segments.at(-1) === current) return;
    open.set(name, [...segments, current]);
    counts.set(current, (counts.get(current) ?? 0) + 1);
  };

  return {
    began(name) {
      write(name, `? ${name}\n`);
    },
    ended(name, { code, about }) {
      write(name, `= ${name} ${code} ${JSON.stringify(about)}\n`);
    },
    settled(names) {
      for (const name of names) {
        const segments = open.get(name) ?? [];
        open.delete(name);
        for (const segment of segments) {
          counts.set(segment, (counts.get(segment) as number) - 1);
          forget(segment);
        }
      }
    },
    close() {
      isClosed = true;
      closeSync(file);
      if (open.size === 0) removeFiles(dir, worker);
      lock.close();
    },
  };
}

type Fate = { about: unknown } | 'uncertain';

function readFates(dir: string, worker: string): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  const segments = readdirSync(dir)
    .filter((name) => name.startsWith(`${worker}.`) && name.endsWith('.journal'))
    .sort((one, other) => Number(one.split('.').at(-2)) - Number(other.split('.').at(-2)));
  for (const segment of segments)
    for (const line of readFileSync(join(dir, segment), 'utf8').split('\n')) {
      // A line that was cut off tells nothing: what came before it holds.
      const [, begun] = /^\? (.+)$/.exec(line) ?? [];
      const [, name, json] = /^= (.+?) \d+ (\{.*\})$/.exec(line) ?? [];
      if (begun !== undefined) fates.set(begun, 'uncertain');
      if (name !== undefined && json !== undefined) fates.set(name, { about: JSON.parse(json) as unknown });
    }
  return fates;
}

/** Journals that no process has: each is this process's until it is removed. */
export function adoptJournals(dir: string): LostJournal[] {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const workers = readdirSync(dir).flatMap((name) => (name.endsWith('.lock') ? [name.slice(0, -'.lock'.length)] : []));
  return workers.flatMap((worker) => {
    const lock = tryLock(join(dir, `${worker}.lock`));
    if (!lock) return [];
    const fates = readFates(dir, worker);
    return [
      {
        owner: worker,
        fateOf: (name: string) => fates.get(name),
        remove() {
          removeFiles(dir, worker);
          lock.close();
        },
      },
    ];
  });
}
