// How much of the machine an engine may see that is a whole program, driven over TCP on its own loopback.
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BrowserLog } from '../chromium/start.ts';
import { isLeftOver, PLACE_OWNER, unlessForeign } from './place-owner.ts';

export interface Identity {
  uid: number;
  gid: number;
}

/** Decided once, by `chooseEngineIsolation`. */
export interface EngineIsolation {
  /** Words before the runner's command; empty when no network namespace can be made. */
  namespace: string[];
  /**
   * Words before the program's command, so that it ends with its runner and its memory is bounded; empty when there are
   * none.
   */
  leash: string[];
  /** The ordinary user the program runs as; undefined means the service's own. */
  identity: Identity | undefined;
  /** Directory under which programs get theirs. */
  dir: string;
  /** For the start-up summary, such as `no network, uid 65534`. */
  description: string;
}

interface EngineIsolationOptions {
  /** Where programs get their directories, if the user they run as can go there. */
  workDir: string;
  /** Paths the program must be able to read, such as its binary and `fonts.conf`. */
  readable: string[];
  log: BrowserLog;
  /** What each process of the program may have of memory. Not for programs that reserve much more than they use. */
  processBytesMax?: number;
}

/** The conventional `nobody`, who owns nothing on the machine. */
const NOBODY: Identity = { uid: 65534, gid: 65534 };
/** Long: a probe that a busy machine keeps waiting must not cost the engine its isolation. */
const PROBE_TIMEOUT_MS = 30_000;
/** Brings the loopback device up, which a fresh network namespace has down, then becomes the words that follow. */
const LOOPBACK_UP = ['sh', '-c', 'PATH="$PATH:/usr/sbin:/sbin" ip link set lo up && exec "$@"', 'sh'];
const PLACE_PREFIX = /^galley-[a-z]+-/;

function succeeds(words: string[], identity?: Identity): boolean {
  const [command, ...args] = words;
  return spawnSync(command!, args, { ...identity, timeout: PROBE_TIMEOUT_MS, stdio: 'ignore' }).status === 0;
}

function namespaceWords(): string[] {
  if (process.platform !== 'linux') return [];
  // Without privileges the namespace needs a user namespace around it, in which no other user exists.
  const words = ['unshare', process.getuid?.() === 0 ? '-n' : '-rn', '--', ...LOOPBACK_UP];
  return succeeds([...words, 'true']) ? words : [];
}

function canWork(identity: Identity, dir: string, readable: string[]): boolean {
  const place = mkdtempSync(join(dir, 'galley-probe-'));
  chownSync(place, identity.uid, identity.gid);
  const script = 'test -x "$1" && test -w "$1" || exit 1; shift; for path in "$@"; do test -r "$path" || exit 1; done';
  const works = succeeds(['sh', '-c', script, 'sh', place, ...readable], identity);
  rmSync(place, { recursive: true });
  return works;
}

/** Removes the directories of services and runners that were both killed before they could. */
function sweep(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (!isLeftOver(name, PLACE_PREFIX)) continue;
    try {
      rmSync(join(dir, name), { recursive: true, force: true });
    } catch (error) {
      unlessForeign(error);
    }
  }
}

/** A directory of this process's, which a later process can tell to be left over. */
export function makePlace(name: string, dir: string, identity?: Identity): string {
  const place = mkdtempSync(join(dir, `galley-${name}-${PLACE_OWNER}-`));
  if (identity) chownSync(place, identity.uid, identity.gid);
  return place;
}

/** The strongest isolation this machine allows; what is missing is logged as a warning. */
export function chooseEngineIsolation(options: EngineIsolationOptions): EngineIsolation {
  const { workDir, log } = options;
  mkdirSync(workDir, { recursive: true });
  const isRoot = process.getuid?.() === 0;
  const readable = options.readable.flatMap((path) => [path, dirname(path)]);
  const dirs = [workDir, tmpdir()];
  const ownable = isRoot ? dirs.find((dir) => canWork(NOBODY, dir, readable)) : undefined;
  const identity = ownable === undefined ? undefined : NOBODY;
  for (const dir of dirs) sweep(dir);
  const namespace = namespaceWords();
  const leash = ['setpriv', '--pdeathsig', 'KILL', '--'];
  const bound = options.processBytesMax === undefined ? [] : ['prlimit', `--data=${options.processBytesMax}`, '--'];
  const isBounded = bound.length === 0 || (process.platform === 'linux' && succeeds([...bound, 'true']));
  const parts = [namespace.length > 0 ? 'no network' : 'network closed by proxy settings only'];
  if (identity) parts.push(`uid ${identity.uid}`);
  else if (isRoot) parts.push('as root');
  const description = parts.join(', ');
  if (namespace.length === 0)
    log.warn(
      { isolation: description },
      'no network namespace for mail clients: their network is closed by proxy settings only',
    );
  if (isRoot && !identity)
    log.warn({ isolation: description }, 'mail clients run as root: an ordinary user cannot read what they need');
  if (!isBounded)
    log.warn(
      { isolation: description },
      'no prlimit: the memory of mail clients is watched by us, not bounded by the system',
    );
  return {
    namespace,
    leash: [...(succeeds([...leash, 'true']) ? leash : []), ...(isBounded ? bound : [])],
    identity,
    dir: ownable ?? workDir,
    description,
  };
}
