// How much of the machine a browser process may see. Probed, never assumed: containers and distributions differ.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { NICE } from '../../priority/index.ts';

/** One way to start a browser, strongest first in `isolationPlans`. */
export interface IsolationPlan {
  /** Command and arguments that run the browser: `[...prefix, browser, ...flags]`. */
  prefix: string[];
  /** Chromium's own sandbox (user namespaces, seccomp) stays on. */
  hasSandbox: boolean;
  /** The process lives in a network namespace without any interface. */
  hasNoNetwork: boolean;
  /** Processes of its own, all ended by the kernel with the browser: none is left behind, not even as a zombie. */
  hasOwnProcesses: boolean;
  /** Set when the process runs as another user, who must own its profile directory. */
  uid?: number;
  /** Every process of the browser is refused more than so much memory of its own by the system. */
  processBytes?: number;
  /** For the start-up summary, such as `no network, sandbox, uid 65534, 1024 MiB a process`. */
  description: string;
}

/** The conventional `nobody`, who owns nothing on the machine. */
const NOBODY = 65534;
/** Long: a probe that a busy machine keeps waiting must not cost the browser its isolation. */
const PROBE_TIMEOUT_MS = 30_000;

function findCommand(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/sbin', '/sbin'];
  return folders
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

function succeeds(command: string[]): Promise<boolean> {
  const [file, ...args] = command;
  return new Promise((resolve) => {
    execFile(file!, args, { timeout: PROBE_TIMEOUT_MS }, (error) => resolve(error === null));
  });
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Which of the commands succeed. One shell starts them, all at once: each process that a program as large as this one
 * starts itself costs the thread that answers 50 to 100 ms.
 */
function whichSucceed(commands: readonly string[][]): Promise<Set<number>> {
  const lines = commands.map(
    (words, index) => `{ ${words.map(quoted).join(' ')} </dev/null >/dev/null 2>&1 && echo ${index}; } &`,
  );
  return new Promise((resolve) => {
    // Whatever became of the others, what has said its number by then has succeeded.
    execFile('/bin/sh', ['-c', [...lines, 'wait'].join('\n')], { timeout: PROBE_TIMEOUT_MS }, (_error, said) => {
      resolve(new Set(said.split('\n').filter(Boolean).map(Number)));
    });
  });
}

function describe(plan: Omit<IsolationPlan, 'description'>): IsolationPlan {
  const parts = [
    plan.hasNoNetwork ? 'no network' : 'network closed by proxy rules only',
    plan.hasSandbox ? 'sandbox' : 'no sandbox',
  ];
  if (plan.hasOwnProcesses) parts.push('own processes');
  if (plan.uid !== undefined) parts.push(`uid ${plan.uid}`);
  if (plan.processBytes !== undefined) parts.push(`${Math.round(plan.processBytes / 2 ** 20)} MiB a process`);
  return { ...plan, description: parts.join(', ') };
}

/**
 * Words before a program's command that make the system refuse each of its processes more than so much memory of its
 * own (`RLIMIT_DATA`: what is shared, or reserved and never written, is not counted). Empty where `prlimit` is missing
 * or fails.
 */
export async function memoryBound(processBytes: number): Promise<string[]> {
  const prlimit = process.platform === 'linux' ? findCommand('prlimit') : undefined;
  if (prlimit === undefined) return [];
  const words = [prlimit, `--data=${processBytes}`, '--'];
  return (await succeeds([...words, '/bin/sh', '-c', 'true'])) ? words : [];
}

/** Words that make the browser compute after the process that answers; empty where the system does not know them. */
export function lowerPriorityWords(): string[] {
  const nice = process.platform === 'win32' ? undefined : findCommand('nice');
  return nice === undefined ? [] : [nice, '-n', String(NICE)];
}

/** Commands that only pass when the browser, started behind `prefix`, could read what it needs. */
function readTest(prefix: string[], readable: string[]): string[] {
  return [...prefix, '/bin/sh', '-c', 'for path in "$@"; do test -r "$path" || exit 1; done', 'sh', ...readable];
}

/** What `unshare` is told for a process namespace: a /proc that shows nothing else, and death along with its parent. */
const OWN_PROCESSES = ['--pid', '--fork', '--mount', '--mount-proc', '--kill-child'];

/** Every combination of namespaces and user, strongest first, whether or not this machine allows it. */
function combinations(isRoot: boolean): Omit<IsolationPlan, 'description'>[] {
  const unshare = findCommand('unshare');
  const setpriv = isRoot ? findCommand('setpriv') : undefined;
  const drop =
    setpriv === undefined ? undefined : [setpriv, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'];
  // Chromium refuses its sandbox to uid 0, so root becomes an ordinary user of a new user namespace.
  const asUser = isRoot ? ['--map-user=1000', '--map-group=1000'] : ['--map-current-user'];
  const found: Omit<IsolationPlan, 'description'>[] = [];
  if (unshare !== undefined) {
    for (const hasOwnProcesses of [true, false]) {
      const namespaces = [unshare, '--user', '--net', ...(hasOwnProcesses ? OWN_PROCESSES : [])];
      const plan = { hasSandbox: true, hasNoNetwork: true, hasOwnProcesses };
      if (drop !== undefined)
        found.push({ prefix: [...drop, ...namespaces, '--map-current-user', '--'], uid: NOBODY, ...plan });
      found.push({ prefix: [...namespaces, ...asUser, '--'], ...plan });
    }
  }
  if (unshare !== undefined && isRoot) {
    for (const hasOwnProcesses of [true, false]) {
      const namespaces = [unshare, '--net', ...(hasOwnProcesses ? OWN_PROCESSES : []), '--'];
      const plan = { hasSandbox: false, hasNoNetwork: true, hasOwnProcesses };
      if (drop !== undefined) found.push({ prefix: [...namespaces, ...drop], uid: NOBODY, ...plan });
      found.push({ prefix: namespaces, ...plan });
    }
  }
  if (drop !== undefined)
    found.push({ prefix: drop, uid: NOBODY, hasSandbox: false, hasNoNetwork: false, hasOwnProcesses: false });
  return found;
}

/**
 * Every way that works on this machine, strongest first; the last one is always the plain start. `readable` are the
 * paths that the browser must be able to read (its binary, the font configuration): a user who can't is not used.
 */
export async function isolationPlans(readable: string[], processBytes: number): Promise<IsolationPlan[]> {
  const isRoot = process.getuid?.() === 0;
  const bound = await memoryBound(processBytes);
  const yielding = lowerPriorityWords();
  const bounded = (plan: Omit<IsolationPlan, 'description'>): IsolationPlan =>
    describe({
      ...plan,
      prefix: [...yielding, ...plan.prefix, ...bound],
      ...(bound.length > 0 && { processBytes }),
    });
  const plain = bounded({ prefix: [], hasSandbox: !isRoot, hasNoNetwork: false, hasOwnProcesses: false });
  if (process.platform !== 'linux') return [plain];
  const candidates = combinations(isRoot);
  const works = await whichSucceed(candidates.map((plan) => readTest(plan.prefix, readable)));
  // Without user namespaces the sandbox may be refused too, so a start without it closes the list.
  const last = isRoot
    ? [plain]
    : [plain, bounded({ prefix: [], hasSandbox: false, hasNoNetwork: false, hasOwnProcesses: false })];
  return [...candidates.filter((_, index) => works.has(index)).map(bounded), ...last];
}
