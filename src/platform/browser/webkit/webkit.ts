// The WebKit engine: WebKitGTK, the nearest relative of Apple's on this machine.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import type { BrowserLog } from '../chromium/start.ts';
import { chooseEngineIsolation, type EngineIsolation } from '../guard/engine-isolation.ts';
import { WarmEngine, type WarmLimits } from '../engine-warm.ts';
import { RenderError } from '../errors.ts';
import { extentOf } from '../extent.ts';
import { measureLayout } from '../layout.ts';
import type { Renderer, Rendering, RenderRequest } from '../types.ts';
import { startWebkit, type WebkitPixels, type WebkitProcess } from './process.ts';

export interface WebkitInstall {
  /** The gjs program. */
  path: string;
  /** Such as `WebKitGTK 2.50.6`. */
  version: string;
  /** A font with bitmap emoji; undefined where WebKit draws the prepared ones. */
  emojiFont?: string | undefined;
}

interface WebkitProbeOptions {
  /** The operator's gjs instead of the one that is found. */
  path?: string | undefined;
  /** `fonts.conf` of the prepared fonts. */
  fontconfigFile?: string | undefined;
  log: BrowserLog;
  limits?: WarmLimits;
}

interface WebkitOptions extends WebkitInstall {
  /** `fonts.conf` of the prepared fonts; without it the machine's own fonts are used. */
  fontconfigFile?: string | undefined;
  /** Where its files lie while they are needed. Default: the system's temporary directory. */
  workDir?: string;
  log: BrowserLog;
  limits?: WarmLimits;
  /** Default: the strongest that this machine allows. */
  isolation?: EngineIsolation;
}

export interface WebkitRenderer extends Renderer {
  /** Starts the process for ordinary screens now instead of at its first render. */
  warm(): Promise<void>;
  /** The processes that run now, one per pixel ratio. */
  readonly pids: readonly number[];
  /** How it is kept from the machine, for the start-up summary. */
  readonly isolation: string;
}

const GJS = '/usr/bin/gjs';
const PROBE_TIMEOUT_MS = 10_000;
const PRINT_VERSION = `imports.gi.versions.Gtk = '3.0'; imports.gi.versions.WebKit2 = '4.1'; const { WebKit2, GLib } = imports.gi;
  if (GLib.find_program_in_path('Xvfb') === null) throw new Error('no Xvfb');
  print([WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version()].join('.'));`;

/** Where distributions put emoji as bitmaps, which every WebKit draws. */
const EMOJI_FONTS = ['/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf', '/usr/share/fonts/noto/NotoColorEmoji.ttf'];

async function versionOf(path: string): Promise<string | undefined> {
  try {
    const env = { PATH: '/usr/bin:/bin', HOME: tmpdir(), LANG: 'C.UTF-8' };
    const { stdout } = await promisify(execFile)(path, ['-c', PRINT_VERSION], { timeout: PROBE_TIMEOUT_MS, env });
    return /^\d+\.\d+\.\d+$/.exec(stdout.trim())?.[0];
  } catch {
    return undefined; // no gjs, or no WebKitGTK for it
  }
}

/** Looks at an emoji that WebKit has drawn: whether there is anything but the background. */
async function drawsEmoji(install: WebkitInstall, options: WebkitProbeOptions): Promise<boolean> {
  const { fontconfigFile, log, limits } = options;
  const renderer = createWebkit({ ...install, fontconfigFile, log, ...(limits && { limits }) });
  const look = { width: 64, height: 64, pixelRatio: 1, colorScheme: 'light', forceDark: false, heightMax: 64 } as const;
  const request: RenderRequest = {
    html: '<p style="font-size:32px">\u{1F600}',
    scope: 'probe',
    assets: async () => undefined,
    ...look,
  };
  try {
    const { png } = await renderer.render(request, new AbortController().signal);
    const { channels } = await sharp(png).stats();
    return channels.some(({ min, max }) => min !== max);
  } finally {
    await renderer.close();
  }
}

/**
 * Finds gjs with WebKitGTK (API 4.1), and Xvfb, which it needs; undefined when one of them is absent, or when there
 * would be holes where emoji are, of which a warning tells.
 */
export async function probeWebkit(options: WebkitProbeOptions): Promise<WebkitInstall | undefined> {
  const path = options.path ?? GJS;
  const version = await versionOf(path);
  if (version === undefined) return undefined;
  const emojiFont = EMOJI_FONTS.find((file) => existsSync(file));
  const install = { path, version: `WebKitGTK ${version}`, emojiFont };
  try {
    if (emojiFont !== undefined || (await drawsEmoji(install, options))) return install;
    options.log.warn(
      { version: install.version },
      'WebKit is not used: it draws no emoji here; a font with bitmap emoji helps (fonts-noto-color-emoji)',
    );
  } catch (err) {
    options.log.warn({ err, version: install.version }, 'WebKit is not used: it does not start');
  }
  return undefined;
}

/**
 * Cuts or shrinks what was captured to the picture that was asked for. Throws `RenderError` when the engine drew
 * nothing.
 */
async function toRendering(
  pixels: WebkitPixels,
  request: RenderRequest,
  scale: number,
): Promise<Omit<Rendering, 'engine'>> {
  const { rgba, contentWidth, contentHeight } = pixels;
  const width = Math.round(request.width * request.pixelRatio);
  const capturedWidth = Math.round(request.width * scale);
  if (pixels.width < capturedWidth)
    throw new RenderError('not_drawn', 'WebKit did not draw the whole width.', `${pixels.width} for ${capturedWidth}`);
  if (rgba[3] !== 255 || rgba.at(-1) !== 255)
    throw new RenderError('not_drawn', 'WebKit did not paint the whole document.');
  const isShrunk = request.fitWidth === true && contentWidth > request.width && pixels.width > capturedWidth;
  const usedWidth = isShrunk ? pixels.width : capturedWidth;
  const usedHeight = Math.min(pixels.height, Math.round(request.heightMax * scale));
  const height = Math.max(1, Math.round((usedHeight * width) / usedWidth));
  const raw = { width: pixels.width, height: pixels.height, channels: 4 } as const;
  let image = sharp(rgba, { raw, limitInputPixels: false })
    .extract({ left: 0, top: 0, width: usedWidth, height: usedHeight })
    .removeAlpha();
  if (usedWidth !== width) image = image.resize({ width, height, fit: 'fill' });
  const png = await image.png({ compressionLevel: 2 }).toBuffer();
  const isCut = pixels.isScreen
    ? extentOf(request, { contentHeight, scale: 1 }).isCut
    : Math.round(usedHeight / scale) < contentHeight;
  const made = { png, width, height, contentHeight, isCut, isWhole: !pixels.isScreen };
  if (pixels.isScreen) return made;
  return { ...made, layout: await measureLayout(pixels.layout, png, usedWidth / scale) };
}

/** A renderer with one warm WebKit per pixel ratio, for both color schemes. It can't force dark mode. */
export function createWebkit(options: WebkitOptions): WebkitRenderer {
  const { path, version, emojiFont, fontconfigFile, workDir = tmpdir(), log, limits } = options;
  const helper = join(import.meta.dirname, 'webkit-helper.js');
  // WebKit reserves gigabytes for scripts, which never run; the system would count them. So it is bounded by the meter
  // alone.
  const isolation =
    options.isolation ??
    chooseEngineIsolation({
      workDir,
      readable: fontconfigFile === undefined ? [path, helper] : [path, helper, fontconfigFile],
      log,
    });
  const engines = new Map<number, WarmEngine<WebkitProcess>>();
  const engineFor = (scale: number): WarmEngine<WebkitProcess> => {
    const engine =
      engines.get(scale) ??
      new WarmEngine(
        `${version} (×${scale})`,
        () => startWebkit({ path, emojiFont, fontconfigFile, isolation, scale }),
        limits,
      );
    engines.set(scale, engine);
    return engine;
  };
  return {
    engine: 'webkit',
    version,
    isolation: isolation.description,
    get pids() {
      return [...engines.values()].flatMap(({ pid }) => pid ?? []);
    },
    warm: () => engineFor(1).warm(),
    async render(request: RenderRequest, signal: AbortSignal): Promise<Rendering> {
      if (request.forceDark) throw new RenderError('load_failed', 'WebKit cannot darken a document by itself.');
      // GTK's screens have whole ratios; what lies between is shrunk from the next one.
      const scale = Math.ceil(request.pixelRatio);
      const pixels = await engineFor(scale).use((process) => process.show(request), signal, request);
      return { ...(await toRendering(pixels, request, scale)), engine: { name: 'webkit', version } };
    },
    async close() {
      await Promise.all([...engines.values()].map((engine) => engine.close()));
    },
  };
}
