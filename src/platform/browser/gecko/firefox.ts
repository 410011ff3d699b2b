// The Firefox engine: for clients that are web pages in Firefox.
import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import type { BrowserLog } from '../chromium/start.ts';
import { chooseEngineIsolation, type EngineIsolation } from '../guard/engine-isolation.ts';
import { documentUrlOf } from '../guard/engine-proxy.ts';
import { boundsOrDefault, WarmEngine, type WarmLimits, type WarmProcess } from '../engine-warm.ts';
import { RenderError } from '../errors.ts';
import { toRendering } from './picture.ts';
import { FIREFOX_PREFS } from './prefs.ts';
import {
  ANSWER_TIMEOUT_MS,
  readCommands,
  START_TIMEOUT_MS,
  startGecko,
  type Gecko,
  type GeckoOptions,
  type GeckoPixels,
  type GeckoSize,
} from './process.ts';
import type { Renderer, Rendering, RenderRequest } from '../types.ts';

export interface FirefoxInstall {
  path: string;
  /** Such as `Firefox 153.7.0`. */
  version: string;
}

interface FirefoxOptions extends FirefoxInstall {
  /** `fonts.conf` of the prepared fonts; without it the machine's own fonts are used. */
  fontconfigFile?: string | undefined;
  /** Where the profile lies while it is needed. Default: the system's temporary directory. */
  workDir?: string;
  log: BrowserLog;
  limits?: WarmLimits;
  /** Default: the strongest that this machine allows. */
  isolation?: EngineIsolation;
}

export interface FirefoxRenderer extends Renderer {
  /** Starts the process now instead of at the first render. */
  warm(): Promise<void>;
  /** The process that runs now, if any. */
  readonly pid: number | undefined;
  /** How it is kept from the machine, for the start-up summary. */
  readonly isolation: string;
}

interface FirefoxProcess extends WarmProcess {
  show(request: RenderRequest): Promise<GeckoPixels>;
}

/** Distributions put a wrapper script on the path; the program lies beside its libraries. */
const PLACES = [
  '/usr/lib/firefox-esr/firefox-esr',
  '/usr/lib/firefox/firefox',
  '/usr/lib64/firefox/firefox',
  '/opt/firefox/firefox',
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
];
const PROBE_TIMEOUT_MS = 10_000;
const PAGE = readCommands('gecko-page.js');
const COMMANDS = readCommands('firefox-chrome.js');

async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], {
      timeout: PROBE_TIMEOUT_MS,
      env: { PATH: '/usr/bin:/bin', HOME: tmpdir() },
    });
    const found = /Firefox (\d[\w.]*)/.exec(stdout);
    return found ? `Firefox ${found[1]}` : undefined;
  } catch {
    return undefined; // absent, or no program that answers
  }
}

/** Finds Firefox on this machine; undefined when there is none. `path` is the operator's, instead of the one found. */
export async function probeFirefox(options: { path?: string | undefined } = {}): Promise<FirefoxInstall | undefined> {
  for (const path of options.path === undefined ? PLACES : [options.path]) {
    const version = await versionOf(path);
    if (version !== undefined) return { path: await realpath(path), version };
  }
  return undefined;
}

async function startFirefox(options: GeckoOptions): Promise<FirefoxProcess> {
  const gecko = await startGecko({ name: 'firefox', prefs: FIREFOX_PREFS, commands: COMMANDS }, options);
  try {
    await gecko.command({ name: 'install', timeoutMs: START_TIMEOUT_MS });
  } catch (error) {
    await gecko.end();
    throw error;
  }
  let count = 0;
  return {
    pid: gecko.pid,
    ended: gecko.ended,
    end: () => gecko.end(),
    show(request) {
      count += 1;
      const url = documentUrlOf(request.documentUrl, count);
      return gecko.proxy.serving({ assets: request.assets, document: { url, html: request.html } }, () =>
        show(gecko, request, url),
      );
    },
  };
}

async function show(gecko: Gecko, request: RenderRequest, documentUrl: string): Promise<GeckoPixels> {
  const { marionette } = gecko;
  const { width, height, pixelRatio, colorScheme } = request;
  await gecko.command({
    name: 'prepare',
    argument: { documentUrl, width, height, pixelRatio, colorScheme },
    timeoutMs: ANSWER_TIMEOUT_MS,
  });
  await marionette.send('Marionette:SetContext', { value: 'content' }, ANSWER_TIMEOUT_MS);
  await marionette.send('WebDriver:Navigate', { url: documentUrl }, ANSWER_TIMEOUT_MS);
  const script = `${PAGE}\nreturn galleyPage.settleAndMeasure(document);`;
  const size = (await marionette.send(
    'WebDriver:ExecuteScript',
    { script, args: [], sandbox: 'system' },
    ANSWER_TIMEOUT_MS,
  )) as GeckoSize;
  await marionette.send('Marionette:SetContext', { value: 'chrome' }, ANSWER_TIMEOUT_MS);
  const pixels = await gecko.capture(request, size);
  await gecko.command({ name: 'leave', timeoutMs: ANSWER_TIMEOUT_MS });
  return pixels;
}

/** A renderer with one warm Firefox for both color schemes, started when first needed. It can't force dark mode. */
export function createFirefox(options: FirefoxOptions): FirefoxRenderer {
  const { path, version, fontconfigFile, workDir = tmpdir(), log, limits } = options;
  const readable = fontconfigFile === undefined ? [path] : [path, fontconfigFile];
  const isolation =
    options.isolation ??
    chooseEngineIsolation({ workDir, readable, log, processBytesMax: boundsOrDefault(limits).processBytes });
  const engine = new WarmEngine(version, () => startFirefox({ path, fontconfigFile, isolation, log }), limits);
  return {
    engine: 'firefox',
    version,
    isolation: isolation.description,
    get pid() {
      return engine.pid;
    },
    warm: () => engine.warm(),
    async render(request: RenderRequest, signal: AbortSignal): Promise<Rendering> {
      if (request.forceDark) throw new RenderError('load_failed', 'Firefox cannot darken a document by itself.');
      const pixels = await engine.use((process) => process.show(request), signal, request);
      return { ...(await toRendering(pixels, request.pixelRatio)), engine: { name: 'firefox', version } };
    },
    close: () => engine.close(),
  };
}
