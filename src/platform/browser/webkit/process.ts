// One WebKitGTK view in a gjs program of ours, driven by JSON lines.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { MAIL_CSP } from '../chromium/flags.ts';
import { SETTLE } from '../chromium/settle.ts';
import type { EngineIsolation } from '../guard/engine-isolation.ts';
import {
  handOver,
  startEngineProcess,
  startFailure,
  writeForProgram,
  type EnginePlace,
  type EngineProcess,
} from '../guard/engine-process.ts';
import { documentUrlOf, openEngineProxy, type EngineProxy } from '../guard/engine-proxy.ts';
import type { WarmProcess } from '../engine-warm.ts';
import { RenderError } from '../errors.ts';
import { extentOf } from '../extent.ts';
import { LAYOUT } from '../layout-script.ts';
import type { RawLayout } from '../layout.ts';
import type { RenderRequest } from '../types.ts';

interface WebkitProcessOptions {
  /** The gjs program. */
  path: string;
  /** A font with bitmap emoji, to be used instead of the emoji of `fontconfigFile`. */
  emojiFont: string | undefined;
  fontconfigFile: string | undefined;
  isolation: EngineIsolation;
  /** Device pixels per CSS pixel, for the life of the process. */
  scale: number;
}

export interface WebkitPixels {
  /** RGBA, row by row: the whole document, or as much of it as makes one picture. */
  rgba: Buffer;
  width: number;
  height: number;
  /** The whole document in CSS pixels, never less than the viewport. */
  contentWidth: number;
  contentHeight: number;
  /** The first screen, and nothing below it. */
  isScreen: boolean;
  layout: RawLayout;
}

export interface WebkitProcess extends WarmProcess {
  /** Loads the request's document and captures it. One at a time. Throws `RenderError`. */
  show(request: RenderRequest): Promise<WebkitPixels>;
}

const START_TIMEOUT_MS = 60_000;
/** A render is bounded by what it computes; this is for a program that does nothing any more. */
const ANSWER_TIMEOUT_MS = 120_000;
const HELPER = join(import.meta.dirname, 'webkit-helper.js');

/** The view's scripts are off; WebKit's `sandbox` would keep ours out, too. */
const CSP = MAIL_CSP.split('; ')
  .filter((directive) => directive !== 'sandbox')
  .join('; ');

/** Everything is taken from the prototypes, because a document can hide its own properties behind names of elements. */
const MEASURE = `await ${SETTLE.trim()};
  const get = (prototype, name, object) => Object.getOwnPropertyDescriptor(prototype, name).get.call(object);
  const root = get(Document.prototype, 'documentElement', document);
  const elements = [root, get(Document.prototype, 'scrollingElement', document)].filter((element) => element);
  const longest = (name, least) => Math.max(least, ...elements.map((element) => get(Element.prototype, name, element)));
  return JSON.stringify({ viewportWidth: innerWidth, width: longest('scrollWidth', innerWidth), height: longest('scrollHeight', innerHeight),
    layout: ${LAYOUT} });`;

function environmentOf(place: EnginePlace, options: WebkitProcessOptions): Record<string, string> {
  const { fontconfigFile, scale } = options;
  const fonts: Record<string, string> =
    fontconfigFile === undefined ? {} : { FONTCONFIG_FILE: fontconfigFile, FONTCONFIG_PATH: dirname(fontconfigFile) };
  const own = {
    HOME: place.dir,
    TMPDIR: place.dir,
    XDG_CONFIG_HOME: place.dir,
    XDG_CACHE_HOME: place.dir,
    XDG_DATA_HOME: place.dir,
    XDG_RUNTIME_DIR: place.dir,
  };
  // No session of any desktop: no bus, no settings of a user, no accessibility, no look but GTK's own.
  const alone = {
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    GSETTINGS_BACKEND: 'memory',
    NO_AT_BRIDGE: '1',
    GDK_BACKEND: 'x11',
    GTK_THEME: '',
    GIO_USE_VFS: 'local',
  };
  return { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC', GDK_SCALE: String(scale), ...alone, ...own, ...fonts };
}

function xml(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * The fonts that were prepared, with other emoji: WebKitGTK draws none of the vector emoji (COLR version 1) where its
 * FreeType is older than that format.
 */
function writeFontsConf(
  place: EnginePlace,
  { fontconfigFile, emojiFont, isolation }: WebkitProcessOptions,
): string | undefined {
  if (fontconfigFile === undefined || emojiFont === undefined) return fontconfigFile;
  const dir = join(place.dir, 'emoji');
  mkdirSync(dir);
  handOver(dir, isolation);
  symlinkSync(emojiFont, join(dir, 'emoji.ttf'));
  const path = join(place.dir, 'fonts.conf');
  writeForProgram(
    path,
    `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">\n<fontconfig>
  <include>${xml(fontconfigFile)}</include>
  <selectfont><rejectfont><glob>${xml(dirname(fontconfigFile))}/*color-emoji*</glob></rejectfont></selectfont>
  <dir>${xml(dir)}</dir>\n</fontconfig>\n`,
    isolation,
  );
  return path;
}

function launch(options: WebkitProcessOptions): Promise<EngineProcess> {
  return startEngineProcess({
    name: 'webkit',
    isolation: options.isolation,
    inwardCount: 1,
    outwardCount: 1,
    prepare(place) {
      const fontconfigFile = writeFontsConf(place, options);
      return {
        command: options.path,
        args: [HELPER, String(place.inward[0]!.port), String(place.outward[0]!.port)],
        env: environmentOf(place, { ...options, fontconfigFile }),
      };
    },
  });
}

interface Line {
  id?: number;
  value?: unknown;
  error?: string;
  display?: number;
}

interface HelperCommand {
  name: 'open' | 'capture';
  argument: object;
  timeoutMs: number;
}

interface Helper {
  /** The number of the X display, once the helper has said it. */
  readonly display: Promise<number>;
  send(command: HelperCommand): Promise<unknown>;
  close(): void;
}

/** Undefined for what is no line of the helper's. */
function readLine(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

function speakLines(socket: Socket): Helper {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const display = Promise.withResolvers<number>();
  let lastId = 0;
  const shut = (): void => {
    const error = new RenderError('crashed', 'The connection to WebKit is closed.');
    for (const { reject } of waiting.values()) reject(error);
    display.reject(error);
    socket.destroy();
  };
  display.promise.catch(() => undefined); // only the start waits for it
  createInterface({ input: socket }).on('line', (text) => {
    const line = readLine(text);
    if (line === undefined) return shut();
    if (line.display !== undefined) display.resolve(line.display);
    const entry = waiting.get(line.id ?? 0);
    waiting.delete(line.id ?? 0);
    if (line.error !== undefined)
      entry?.reject(new RenderError('not_drawn', 'WebKit could not draw the document.', line.error));
    else entry?.resolve(line.value);
  });
  socket.on('error', shut).on('close', shut);
  return {
    display: display.promise,
    close: shut,
    async send({ name, argument, timeoutMs }) {
      if (socket.destroyed) throw new RenderError('crashed', 'The connection to WebKit is closed.');
      const id = ++lastId;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.set(id, { resolve, reject });
      const timer = setTimeout(
        () => reject(new RenderError('timeout', 'WebKit ran over its time.', `${name}: ${timeoutMs} ms`)),
        timeoutMs,
      );
      socket.write(`${JSON.stringify({ id, name, argument })}\n`);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
  };
}

/** Starts WebKit. Throws `RenderError` (`start_failed`). */
export async function startWebkit(options: WebkitProcessOptions): Promise<WebkitProcess> {
  const started = await launch(options);
  const { place, pid, ended } = started;
  let proxy: EngineProxy | undefined;
  let helper: Helper;
  let display: number;
  try {
    proxy = await openEngineProxy(place.outward[0]!.socketPath);
    helper = speakLines(await started.connect(place.inward[0]!, START_TIMEOUT_MS));
    display = await helper.display;
  } catch (error) {
    await proxy?.close();
    throw await startFailure(started, error);
  }
  const served = proxy;
  let count = 0;
  return {
    pid,
    ended,
    show(request) {
      count += 1;
      const url = documentUrlOf(request.documentUrl, count);
      const document = { url, html: request.html, csp: CSP };
      return served.serving({ assets: request.assets, document }, () => show({ helper, place }, request, url));
    },
    async end() {
      helper.close();
      await Promise.all([started.end(), served.close()]);
      // An X server that is killed leaves these, and they would keep its number taken.
      for (const path of [`/tmp/.X${display}-lock`, `/tmp/.X11-unix/X${display}`]) rmSync(path, { force: true });
    },
  };
}

interface Opened {
  viewportWidth: number;
  width: number;
  height: number;
  layout: RawLayout;
}

async function show(
  { helper, place }: { helper: Helper; place: EnginePlace },
  request: RenderRequest,
  url: string,
): Promise<WebkitPixels> {
  const { width, height, heightMax, colorScheme } = request;
  const opened = await helper.send({
    name: 'open',
    argument: { url, width, height, isDark: colorScheme === 'dark', measure: MEASURE },
    timeoutMs: ANSWER_TIMEOUT_MS,
  });
  const { layout, ...size } = opened as Opened;
  if (size.viewportWidth !== width)
    throw new RenderError('load_failed', 'WebKit did not take the width.', `${size.viewportWidth} for ${width}`);
  const path = join(place.dir, 'pixels');
  // What the view shows is not shrunk: a document that has to be is captured whole.
  const isShrunk = request.fitWidth === true && size.width > width;
  const isScreen = !isShrunk && !extentOf(request, { contentHeight: size.height, scale: 1 }).isWhole;
  const content = { contentWidth: size.width, contentHeight: size.height, isScreen };
  const argument = { path, width, height: Math.min(size.height, heightMax), ...content };
  const captured = (await helper.send({ name: 'capture', argument, timeoutMs: ANSWER_TIMEOUT_MS })) as {
    width: number;
    height: number;
    channels: number;
    rowBytes: number;
  };
  const rgba = await readFile(path);
  await rm(path);
  if (
    captured.channels !== 4 ||
    captured.rowBytes !== captured.width * 4 ||
    rgba.length !== captured.height * captured.rowBytes
  ) {
    throw new RenderError('crashed', 'WebKit gave a picture of another size.', JSON.stringify(captured));
  }
  return { rgba, width: captured.width, height: captured.height, layout, ...content };
}
