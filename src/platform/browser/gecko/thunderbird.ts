// The Thunderbird engine: the real mail client, headless, showing the real message.
import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import type { BrowserLog } from '../chromium/start.ts';
import { chooseEngineIsolation, type EngineIsolation } from '../guard/engine-isolation.ts';
import { boundsOrDefault, WarmEngine, type WarmLimits } from '../engine-warm.ts';
import { RenderError } from '../errors.ts';
import { toRendering } from './picture.ts';
import { startThunderbird, type ThunderbirdProcess } from './thunderbird-process.ts';
import type { Renderer, Rendering, RenderRequest } from '../types.ts';

export interface ThunderbirdInstall {
  /** The program itself, not a wrapper script. */
  path: string;
  /** Such as `Thunderbird 140.5.0esr`. */
  version: string;
}

interface ThunderbirdProbeOptions {
  /** The operator's Thunderbird instead of the one that is found. */
  path?: string | undefined;
}

interface ThunderbirdOptions extends ThunderbirdInstall {
  /** `fonts.conf` of the prepared fonts; without it the machine's own fonts are used. */
  fontconfigFile?: string | undefined;
  /** Where profiles and messages lie while they are needed. Default: the system's temporary directory. */
  workDir?: string;
  log: BrowserLog;
  limits?: WarmLimits;
  /** Default: the strongest that this machine allows. */
  isolation?: EngineIsolation;
  /** How long the program may take until it answers. Default 60 seconds. */
  startTimeoutMs?: number;
}

export interface ThunderbirdRenderer extends Renderer {
  /** Starts the process of a color scheme now instead of at its first render. */
  warm(colorScheme: 'light' | 'dark'): Promise<void>;
  /** The processes that run now. */
  readonly pids: readonly number[];
  /** How it is kept from the machine, for the start-up summary. */
  readonly isolation: string;
}

/** Distributions put a wrapper script on the path; the program lies beside its libraries. */
const PLACES = [
  '/usr/lib/thunderbird/thunderbird',
  '/usr/lib64/thunderbird/thunderbird',
  '/opt/thunderbird/thunderbird',
  '/usr/bin/thunderbird',
];
const PROBE_TIMEOUT_MS = 10_000;

async function versionOf(path: string): Promise<string | undefined> {
  try {
    // `--version` touches no profile, but the program wants a home it may write to.
    const { stdout } = await promisify(execFile)(path, ['--version'], {
      timeout: PROBE_TIMEOUT_MS,
      env: { PATH: '/usr/bin:/bin', HOME: tmpdir() },
    });
    const found = /Thunderbird (\d[\w.]*)/.exec(stdout);
    return found ? `Thunderbird ${found[1]}` : undefined;
  } catch {
    return undefined; // absent, or no program that answers
  }
}

/** Finds Thunderbird on this machine; undefined when there is none. */
export async function probeThunderbird(options: ThunderbirdProbeOptions = {}): Promise<ThunderbirdInstall | undefined> {
  for (const path of options.path === undefined ? PLACES : [options.path]) {
    const version = await versionOf(path);
    if (version !== undefined) return { path: await realpath(path), version };
  }
  return undefined;
}

/** A renderer with one warm Thunderbird per color scheme, started when first needed. It draws `request.message`. */
export function createThunderbird(options: ThunderbirdOptions): ThunderbirdRenderer {
  const { path, version, fontconfigFile, workDir = tmpdir(), log, limits, startTimeoutMs } = options;
  const readable = fontconfigFile === undefined ? [path] : [path, fontconfigFile];
  const isolation =
    options.isolation ??
    chooseEngineIsolation({ workDir, readable, log, processBytesMax: boundsOrDefault(limits).processBytes });
  const keep = (colorScheme: 'light' | 'dark'): WarmEngine<ThunderbirdProcess> =>
    new WarmEngine(
      `${version} (${colorScheme})`,
      () => startThunderbird({ path, fontconfigFile, isolation, colorScheme, log, startTimeoutMs }),
      limits,
    );
  const engines = { light: keep('light'), dark: keep('dark') };

  return {
    engine: 'thunderbird',
    version,
    isolation: isolation.description,
    get pids() {
      return Object.values(engines).flatMap(({ pid }) => pid ?? []);
    },
    async warm(colorScheme) {
      await engines[colorScheme].warm();
    },
    async render(request: RenderRequest, signal: AbortSignal): Promise<Rendering> {
      const { message } = request;
      if (!message) throw new RenderError('load_failed', 'Thunderbird draws messages, and there is none.');
      const { assets, width, height, heightMax, pixelRatio, extent = 'whole' } = request;
      const pixels = await engines[request.colorScheme].use(
        (process) => process.show({ ...message, assets, width, height, heightMax, pixelRatio, extent }),
        signal,
        request,
      );
      return { ...(await toRendering(pixels, pixelRatio)), engine: { name: 'thunderbird', version } };
    },
    async close() {
      await Promise.all(Object.values(engines).map((engine) => engine.close()));
    },
  };
}
