// Finds a Chromium on this machine and says which one it is.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { RenderError } from '../errors.ts';

const execFileAsync = promisify(execFile);

export interface ChromiumInstall {
  executablePath: string;
  /** Product and version, such as `Chromium 156.0.8078.79`. */
  version: string;
  /** The origin: named by the operator, found on the machine, or unpacked from the npm package. */
  origin: 'configured' | 'installed' | 'unpacked';
  /** Shared libraries that the binary brings along. */
  libraryPath?: string;
}

interface FindChromiumOptions {
  /** The operator's choice; nothing else is tried then. */
  configuredPath?: string | undefined;
  /** The folder into which `scripts/prepare-runtime.ts` unpacks. */
  runtimeDir: string;
}

/**
 * Places of a browser that the machine's own packages keep patched. The headless shell comes first: it draws the same
 * pixels as the whole browser at two thirds of the cost, and opens a context at a quarter.
 */
const INSTALLED: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
    '/usr/bin/chromium-browser',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  ],
};

/** Start scripts add flags that differ from machine to machine; the real binaries lie here. */
const BEHIND_START_SCRIPT: Record<string, string> = {
  '/usr/bin/chromium-headless-shell': '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium': '/usr/lib/chromium/chromium',
  '/usr/bin/chromium-browser': '/usr/lib/chromium-browser/chromium-browser',
};

function behindStartScript(path: string): string {
  const binary = BEHIND_START_SCRIPT[path];
  return binary !== undefined && existsSync(binary) ? binary : path;
}

async function inspect(
  path: string,
  origin: ChromiumInstall['origin'],
  libraryPath?: string,
): Promise<ChromiumInstall> {
  const executablePath = behindStartScript(path);
  const env = { PATH: process.env['PATH'], ...(libraryPath === undefined ? {} : { LD_LIBRARY_PATH: libraryPath }) };
  const { stdout } = await execFileAsync(executablePath, ['--version'], { env, timeout: 20_000 });
  // `Chromium 156.0.8078.79 built on Debian …`, `Google Chrome 150.0.1.2`
  const version = /^[A-Za-z][A-Za-z ]*? \d+(?:\.\d+)*/.exec(stdout.trim())?.[0];
  if (version === undefined)
    throw new RenderError('start_failed', `${executablePath} does not answer --version as a Chromium does.`);
  return { executablePath, version, origin, ...(libraryPath === undefined ? {} : { libraryPath }) };
}

/** The newest unpacked Chromium under `runtimeDir`, or undefined. */
function findUnpacked(runtimeDir: string): string | undefined {
  if (!existsSync(runtimeDir)) return undefined;
  const folders = readdirSync(runtimeDir).filter((name) => /^chromium-\d[\w.-]*$/.test(name));
  folders.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return folders.map((name) => join(runtimeDir, name, 'chromium')).find((path) => existsSync(path));
}

/**
 * The Chromium to use: the configured one, else the machine's own (patched by its distribution), else the one unpacked
 * from the npm package. Throws `RenderError` (`start_failed`) when there is none or it does not run.
 */
export async function findChromium(options: FindChromiumOptions): Promise<ChromiumInstall> {
  if (options.configuredPath !== undefined) {
    try {
      return await inspect(options.configuredPath, 'configured', libraryPathOf(options.configuredPath));
    } catch (cause) {
      throw new RenderError('start_failed', `The configured browser ${options.configuredPath} does not run.`, cause);
    }
  }
  const failures: unknown[] = [];
  for (const [path, origin] of candidates(options.runtimeDir)) {
    try {
      return await inspect(path, origin, libraryPathOf(path));
    } catch (cause) {
      failures.push(cause);
    }
  }
  const why =
    failures.length === 0
      ? 'none is installed, and none was unpacked (a checkout unpacks one by "node scripts/setup.mjs"; else install ' +
        'Chrome or Chromium, or name one in GALLEY_CHROMIUM)'
      : 'the ones found do not run';
  throw new RenderError('start_failed', `No Chromium: ${why}.`, new AggregateError(failures));
}

function candidates(runtimeDir: string): [string, ChromiumInstall['origin']][] {
  const installed = (INSTALLED[process.platform] ?? []).filter(isUsable);
  const unpacked = findUnpacked(runtimeDir);
  return [
    ...installed.map((path): [string, ChromiumInstall['origin']] => [path, 'installed']),
    ...(unpacked === undefined ? [] : [[unpacked, 'unpacked'] as [string, ChromiumInstall['origin']]]),
  ];
}

/** A snap's browser is confined: it can read neither our fonts nor a profile under the temporary directory. */
function isUsable(path: string): boolean {
  return existsSync(path) && !realpathSync(path).includes('/snap');
}

function libraryPathOf(path: string): string | undefined {
  const folder = join(dirname(path), 'lib');
  return existsSync(join(folder, 'libnss3.so')) && existsSync(join(dirname(path), 'chromium')) ? folder : undefined;
}
