// One headless Gecko program (Thunderbird, Firefox) with an empty profile, driven over Marionette.
import { constants, mkdirSync, readFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BrowserLog } from '../chromium/start.ts';
import type { EngineIsolation } from '../guard/engine-isolation.ts';
import { openEngineProxy, type EngineProxy } from '../guard/engine-proxy.ts';
import {
  handOver,
  startEngineProcess,
  startFailure,
  writeForProgram,
  type EnginePlace,
  type EngineProcess,
} from '../guard/engine-process.ts';
import type { WarmProcess } from '../engine-warm.ts';
import { RenderError } from '../errors.ts';
import { extentOf } from '../extent.ts';
import type { RenderRequest } from '../types.ts';
import { geckoPrefs, userJs, type Prefs } from './prefs.ts';
import { speakMarionette, type Marionette } from './marionette.ts';

export interface GeckoOptions {
  /** The program. */
  path: string;
  /** `fonts.conf` of the prepared fonts; without it the machine's own fonts are used. */
  fontconfigFile: string | undefined;
  isolation: EngineIsolation;
  log: BrowserLog;
  /** How long the program may take until it answers. Default 60 seconds. */
  startTimeoutMs?: number | undefined;
}

interface GeckoProgram {
  /** Names the program in errors and directories. */
  name: string;
  prefs: Prefs;
  /** File of privileged commands, run after `gecko-chrome.js`. */
  commands: string;
}

/** How a document is looked at, and how much of it. */
export type GeckoView = Pick<RenderRequest, 'width' | 'height' | 'heightMax' | 'pixelRatio' | 'extent' | 'fitWidth'>;

/** What `gecko-page.js` measures, in CSS pixels. */
export interface GeckoSize {
  viewportWidth: number;
  width: number;
  height: number;
}

export interface GeckoPixels {
  /** RGBA, row by row. */
  rgba: Buffer;
  width: number;
  height: number;
  /** CSS pixels. */
  contentHeight: number;
  isCut: boolean;
  isWhole: boolean;
}

interface GeckoCommand {
  name: string;
  argument?: unknown;
  timeoutMs: number;
}

export interface Gecko extends WarmProcess {
  readonly place: EnginePlace;
  readonly marionette: Marionette;
  readonly proxy: EngineProxy;
  /** Runs a privileged command. Throws `RenderError`. */
  command(command: GeckoCommand): Promise<unknown>;
  /** Captures the top of what is shown. Throws `RenderError`. */
  capture(view: GeckoView, content: GeckoSize): Promise<GeckoPixels>;
}

export const START_TIMEOUT_MS = 60_000;
/** A render is bounded by what it computes; this is for a program that does nothing any more. */
export const ANSWER_TIMEOUT_MS = 120_000;
/** Device pixels of one capture; some graphics stacks refuse bitmaps above 16,383. */
const BAND_PIXELS_MAX = 8_192;

export function readCommands(file: string): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8');
}

const SHARED_COMMANDS = readCommands('gecko-page.js') + readCommands('gecko-chrome.js');

function environmentOf(place: EnginePlace, fontconfigFile: string | undefined): Record<string, string> {
  const fonts: Record<string, string> =
    fontconfigFile === undefined ? {} : { FONTCONFIG_FILE: fontconfigFile, FONTCONFIG_PATH: dirname(fontconfigFile) };
  const own = {
    HOME: place.dir,
    TMPDIR: place.dir,
    XDG_CONFIG_HOME: place.dir,
    XDG_CACHE_HOME: place.dir,
    XDG_RUNTIME_DIR: place.dir,
  };
  return {
    PATH: '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    MOZ_HEADLESS: '1',
    MOZ_CRASHREPORTER_DISABLE: '1',
    ...own,
    ...fonts,
  };
}

/** Content processes in their sandbox read no files but those that are named; without this they have no glyphs. */
function fontPrefs(fontconfigFile: string | undefined): Prefs {
  return fontconfigFile === undefined
    ? {}
    : { 'security.sandbox.content.read_path_whitelist': `${dirname(fontconfigFile)}/` };
}

function launch(program: GeckoProgram, options: GeckoOptions): Promise<EngineProcess> {
  const { isolation } = options;
  return startEngineProcess({
    name: program.name,
    isolation,
    inwardCount: 1,
    outwardCount: 1,
    prepare(place) {
      const profile = join(place.dir, 'profile');
      mkdirSync(profile, { mode: 0o700 });
      const shared = geckoPrefs({ marionettePort: place.inward[0]!.port, proxyPort: place.outward[0]!.port });
      writeForProgram(
        join(profile, 'user.js'),
        userJs({ ...shared, ...fontPrefs(options.fontconfigFile), ...program.prefs }),
        isolation,
      );
      handOver(profile, isolation);
      const args = ['--profile', profile, '--no-remote', '--marionette', '--remote-allow-system-access', '--headless'];
      return { command: options.path, args, env: environmentOf(place, options.fontconfigFile) };
    },
  });
}

async function openSession(started: EngineProcess, startTimeoutMs = START_TIMEOUT_MS): Promise<Marionette> {
  const marionette = speakMarionette(await started.connect(started.place.inward[0]!, startTimeoutMs));
  await marionette.send('WebDriver:NewSession', { acceptInsecureCerts: true }, startTimeoutMs);
  await marionette.send(
    'WebDriver:SetTimeouts',
    { script: ANSWER_TIMEOUT_MS, pageLoad: ANSWER_TIMEOUT_MS },
    ANSWER_TIMEOUT_MS,
  );
  await marionette.send('Marionette:SetContext', { value: 'chrome' }, ANSWER_TIMEOUT_MS);
  return marionette;
}

/** Reads what the program wrote, and never through a link that it may have put there. */
async function readPixels(path: string, sizeBytes: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    if (size !== sizeBytes)
      throw new RenderError('crashed', 'The engine gave a picture of another size.', `${size} bytes for ${sizeBytes}`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Starts a Gecko program. Throws `RenderError` (`start_failed`, `timeout`). */
export async function startGecko(program: GeckoProgram, options: GeckoOptions): Promise<Gecko> {
  const started = await launch(program, options);
  const { place, pid, ended } = started;
  let proxy: EngineProxy;
  let marionette: Marionette;
  try {
    proxy = await openEngineProxy(place.outward[0]!.socketPath);
    try {
      marionette = await openSession(started, options.startTimeoutMs);
    } catch (error) {
      await proxy.close();
      throw error;
    }
  } catch (error) {
    throw await startFailure(started, error);
  }
  const source = SHARED_COMMANDS + program.commands;
  const command = ({ name, argument, timeoutMs }: GeckoCommand): Promise<unknown> => {
    const script = `${source}\nreturn state.commands.${name}(...arguments);`;
    return marionette.send(
      'WebDriver:ExecuteScript',
      { script, args: [argument], sandbox: 'system', newSandbox: false },
      timeoutMs,
    );
  };
  return {
    place,
    pid,
    ended,
    marionette,
    proxy,
    command,
    capture: (view, content) => capture({ command, place }, view, content),
    async end() {
      marionette.close();
      await Promise.all([started.end(), proxy.close()]);
    },
  };
}

async function capture(
  gecko: Pick<Gecko, 'command' | 'place'>,
  view: GeckoView,
  content: GeckoSize,
): Promise<GeckoPixels> {
  const { width, pixelRatio } = view;
  if (content.viewportWidth !== width) {
    throw new RenderError('load_failed', 'The engine did not take the width.', `${content.viewportWidth} for ${width}`);
  }
  const captureWidth = view.fitWidth === true ? content.width : width;
  const scale = (pixelRatio * width) / captureWidth;
  const path = join(gecko.place.dir, 'pixels');
  const { height, isWhole, isCut } = extentOf(view, { contentHeight: content.height, scale: width / captureWidth });
  const argument = {
    path,
    width: captureWidth,
    height,
    scale,
    pixelWidth: Math.round(width * pixelRatio),
    bandHeight: Math.floor(BAND_PIXELS_MAX / scale),
  };
  const pixels = (await gecko.command({ name: 'capture', argument, timeoutMs: ANSWER_TIMEOUT_MS })) as {
    width: number;
    height: number;
  };
  const rgba = await readPixels(path, pixels.width * pixels.height * 4);
  await rm(path);
  return { rgba, ...pixels, contentHeight: content.height, isCut, isWhole };
}
