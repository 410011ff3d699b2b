// One Chromium process: started behind the strongest isolation that works, driven over a pipe, ended for certain.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { chown, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { launch, type Browser } from 'puppeteer-core';
import { chromiumFlags } from './flags.ts';
import { RenderError } from '../errors.ts';
import type { ChromiumInstall } from './install.ts';
import type { IsolationPlan } from '../guard/isolation.ts';
import { isLeftOver, PLACE_OWNER, unlessForeign } from '../guard/place-owner.ts';
import { processTree } from '../guard/process-tree.ts';
import { lowerSessionPriority } from '../../priority/index.ts';

export interface ChromiumProcess {
  readonly browser: Browser;
  readonly pid: number;
  /** How it ended, once it has: by a signal, or with an exit code. */
  readonly exit: Promise<NodeJS.Signals | number>;
  /** Ends the process and removes its profile. Safe to call twice. */
  end(): Promise<void>;
}

interface StartChromiumOptions {
  install: ChromiumInstall;
  plan: IsolationPlan;
  /** `fonts.conf` of the prepared fonts. */
  fontsConf: string;
  /** Ends a browser that is still starting; one that has started is ended by `end`. */
  signal?: AbortSignal | undefined;
}

/** Long: a start that a busy machine keeps waiting must not be taken for an isolation that does not work. */
const START_TIMEOUT_MS = 60_000;
const EXIT_TIMEOUT_MS = 3_000;
const PROFILE_PREFIX = /^galley-chromium-/;
const SHARED_MEMORY_BYTES_MIN = 512 * 1024 * 1024;

/** Containers often have 64 MB of /dev/shm, less than one long page needs. */
function hasSmallSharedMemory(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { bsize, blocks } = statfsSync('/dev/shm');
    return bsize * blocks < SHARED_MEMORY_BYTES_MIN;
  } catch {
    return true; // not mounted at all
  }
}

/** An empty profile directory, named after this process so that a later one can tell that it is left over. */
async function createProfileDir(uid: number | undefined): Promise<string> {
  const path = join(tmpdir(), `galley-chromium-${PLACE_OWNER}-${randomBytes(6).toString('hex')}`);
  await mkdir(path, { mode: 0o700 });
  if (uid !== undefined) await chown(path, uid, uid);
  return path;
}

/** Removes the profile directories of owners that were killed before they could. */
export async function sweepProfiles(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (isLeftOver(name, PROFILE_PREFIX))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(unlessForeign);
  }
}

/** Nothing of our own environment (keys, addresses) reaches the browser. */
function environmentOf(options: StartChromiumOptions, profileDir: string): Record<string, string> {
  return {
    PATH: '/usr/bin:/bin',
    HOME: profileDir,
    TMPDIR: profileDir,
    XDG_CONFIG_HOME: profileDir,
    XDG_CACHE_HOME: profileDir,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    FONTCONFIG_FILE: options.fontsConf,
    FONTCONFIG_PATH: dirname(options.fontsConf),
    ...(options.install.libraryPath === undefined ? {} : { LD_LIBRARY_PATH: options.install.libraryPath }),
  };
}

function removeProfile(profileDir: string): Promise<void> {
  return rm(profileDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/**
 * Launches a browser. Rejects when the signal aborts and after so long: the driver kills the browser then, but goes on
 * waiting for its answer for ever when the browser ends between two answers (puppeteer 25.16).
 */
async function launchWithin(
  ms: number,
  signal: AbortSignal | undefined,
  start: (signal: AbortSignal) => Promise<Browser>,
): Promise<Browser> {
  const calledOff = new AbortController();
  const { promise: never, reject } = Promise.withResolvers<never>();
  calledOff.signal.addEventListener('abort', () => reject(calledOff.signal.reason), { once: true });
  const onAbort = (): void => calledOff.abort(signal?.reason);
  const timer = setTimeout(() => calledOff.abort(new Error(`The browser did not answer within ${ms} ms.`)), ms);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    signal?.throwIfAborted();
    return await Promise.race([start(calledOff.signal), never]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Starts one browser. Throws `RenderError` (`start_failed`) with what it printed as the cause. */
export async function startChromium(options: StartChromiumOptions): Promise<ChromiumProcess> {
  const { install, plan } = options;
  const profileDir = await createProfileDir(plan.uid);
  const flags = chromiumFlags({
    profileDir,
    hasSandbox: plan.hasSandbox,
    hasSmallSharedMemory: hasSmallSharedMemory(),
  });
  const [executablePath, ...args] = [...plan.prefix, install.executablePath, ...flags];
  let browser: Browser;
  try {
    browser = await launchWithin(START_TIMEOUT_MS, options.signal, (signal) =>
      launch({
        executablePath: executablePath!,
        args,
        ignoreDefaultArgs: true,
        userDataDir: profileDir,
        pipe: true,
        env: environmentOf(options, profileDir),
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
        waitForInitialPage: false,
        defaultViewport: null,
        protocolTimeout: 0,
        signal,
      }),
    );
  } catch (cause) {
    await removeProfile(profileDir);
    throw new RenderError('start_failed', `${install.version} did not start (${plan.description}).`, cause);
  }
  const child = browser.process()!;
  const pid = child.pid!;
  lowerSessionPriority(pid);
  // The driver listens until it disconnects; a pipe to a killed browser may break later, and would end this process.
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  const exit = new Promise<NodeJS.Signals | number>((resolve) => {
    const tell = (): void => resolve(child.signalCode ?? child.exitCode ?? 0);
    if (hasExited(child)) tell();
    else child.once('exit', tell);
  });
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    await endProcess(browser, exit, plan.hasOwnProcesses);
    await removeProfile(profileDir);
  };
  return { browser, pid, exit, end: () => (ending ??= end()) };
}

/**
 * Kills at once: a browser that renders untrusted pages has nothing worth saving. In a process namespace the browser is
 * killed rather than `unshare` above it, which then takes its exit and leaves no zombie to a machine whose init reaps
 * none.
 */
async function endProcess(browser: Browser, exit: Promise<unknown>, hasOwnProcesses: boolean): Promise<void> {
  const child = browser.process()!;
  const isGone = (): boolean => hasExited(child);
  const within = (ms: number): Promise<unknown> => Promise.race([exit, wait(ms, undefined, { ref: false })]);
  const inner = hasOwnProcesses ? (await processTree(child.pid!))[1] : undefined;
  if (inner !== undefined && !isGone()) {
    kill(inner);
    await within(EXIT_TIMEOUT_MS);
  }
  if (!isGone()) {
    kill(-child.pid!);
    await within(EXIT_TIMEOUT_MS);
  }
  await browser.disconnect();
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
