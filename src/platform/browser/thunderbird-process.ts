// One headless Thunderbird with an empty profile, driven over Marionette.
import { constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserLog } from './chromium-start.ts';
import type { EngineIsolation } from './engine-isolation.ts';
import { handOver, startEngineProcess, type EnginePlace, type EngineProcess } from './engine-process.ts';
import type { WarmProcess } from './engine-warm.ts';
import { RenderError } from './errors.ts';
import { speakMarionette, type Marionette } from './marionette.ts';
import { openAssetServer, type AssetServer } from './thunderbird-assets.ts';
import { thunderbirdPrefs, userJs } from './thunderbird-prefs.ts';
import type { AssetSource } from './types.ts';

export interface ThunderbirdProcessOptions {
  /** The program. */
  path: string;
  fontconfigFile: string | undefined;
  isolation: EngineIsolation;
  colorScheme: 'light' | 'dark';
  log: BrowserLog;
}

export interface ShownMessage {
  raw: Buffer;
  /** Remote images are shown. Images that the message carries always are. */
  images: boolean;
  assets: AssetSource;
  /** The message area in CSS pixels. */
  width: number;
  height: number;
  heightMax: number;
  pixelRatio: number;
}

export interface MessagePixels {
  /** RGBA, row by row. */
  rgba: Buffer;
  width: number;
  height: number;
  /** CSS pixels. */
  contentHeight: number;
  isCut: boolean;
}

export interface ThunderbirdProcess extends WarmProcess {
  /** Shows a message and captures it from its top. One at a time. Throws `RenderError`. */
  show(message: ShownMessage): Promise<MessagePixels>;
}

const START_TIMEOUT_MS = 20_000;
const OPEN_TIMEOUT_MS = 10_000;
const CAPTURE_TIMEOUT_MS = 30_000;
const COMMAND_TIMEOUT_MS = 5_000;
/** Device pixels of one capture; some graphics stacks refuse bitmaps above 16,383. */
const BAND_PIXELS_MAX = 8_192;
const WARM_UP = 'From: Galley <galley@localhost>\r\nSubject: warm-up\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>warm-up</p>\r\n';

const COMMANDS = readFileSync(join(import.meta.dirname, 'thunderbird-chrome.js'), 'utf8');

interface Command {
  name: 'install' | 'open' | 'capture' | 'leave';
  argument?: unknown;
}

function environmentOf(place: EnginePlace, fontconfigFile: string | undefined): Record<string, string> {
  const fonts: Record<string, string> = fontconfigFile === undefined ? {} : { FONTCONFIG_FILE: fontconfigFile, FONTCONFIG_PATH: dirname(fontconfigFile) };
  const own = { HOME: place.dir, TMPDIR: place.dir, XDG_CONFIG_HOME: place.dir, XDG_CACHE_HOME: place.dir, XDG_RUNTIME_DIR: place.dir };
  return { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC', MOZ_HEADLESS: '1', MOZ_CRASHREPORTER_DISABLE: '1', ...own, ...fonts };
}

function launch(options: ThunderbirdProcessOptions): Promise<EngineProcess> {
  const { isolation, colorScheme } = options;
  return startEngineProcess({
    name: 'thunderbird', isolation, inwardCount: 1, outwardCount: 1,
    prepare(place) {
      const profile = join(place.dir, 'profile');
      mkdirSync(profile, { mode: 0o700 });
      const prefs = thunderbirdPrefs({ marionettePort: place.inward[0]!.port, assetPort: place.outward[0]!.port, colorScheme });
      writeFileSync(join(profile, 'user.js'), userJs(prefs));
      writeFileSync(join(place.dir, 'warm-up.eml'), WARM_UP);
      handOver(profile, isolation);
      const args = ['--profile', profile, '--no-remote', '--marionette', '--remote-allow-system-access', '--headless'];
      return { command: options.path, args, env: environmentOf(place, options.fontconfigFile) };
    },
  });
}

function messageUri(path: string): string {
  return `${pathToFileURL(path).href}?type=application/x-message-display`;
}

/** Reads what the program wrote, and never through a link that it may have put there. */
async function readPixels(path: string, sizeBytes: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    if (size !== sizeBytes) throw new RenderError('crashed', 'Thunderbird gave a picture of another size.', `${size} bytes for ${sizeBytes}`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Starts Thunderbird and opens a message window. Throws `RenderError` (`start_failed`, `timeout`). */
export async function startThunderbird(options: ThunderbirdProcessOptions): Promise<ThunderbirdProcess> {
  const program = await launch(options);
  const { place } = program;
  let assetServer: AssetServer | undefined;
  let marionette: Marionette | undefined;
  const end = async (): Promise<void> => {
    marionette?.close();
    await Promise.all([program.end(), assetServer?.close()]);
  };
  try {
    assetServer = await openAssetServer(place.outward[0]!.socketPath, (err) => options.log.warn({ err }, 'an asset could not be given to Thunderbird'));
    marionette = speakMarionette(await program.connect(place.inward[0]!, START_TIMEOUT_MS));
    await marionette.send('WebDriver:NewSession', { capabilities: {} }, START_TIMEOUT_MS);
    await marionette.send('WebDriver:SetTimeouts', { script: CAPTURE_TIMEOUT_MS }, COMMAND_TIMEOUT_MS);
    await marionette.send('Marionette:SetContext', { value: 'chrome' }, COMMAND_TIMEOUT_MS);
    await command(marionette, START_TIMEOUT_MS, { name: 'install', argument: messageUri(join(place.dir, 'warm-up.eml')) });
  } catch (error) {
    await end();
    throw error;
  }
  const open = { marionette, assetServer, place, count: 0 };
  return { pid: program.pid, ended: program.ended, end, show: (message) => show(open, message) };
}

function command(marionette: Marionette, timeoutMs: number, { name, argument }: Command): Promise<unknown> {
  const script = `${COMMANDS}\nreturn state.commands.${name}(...arguments);`;
  return marionette.send('WebDriver:ExecuteScript', { script, args: [argument], sandbox: 'system', newSandbox: false }, timeoutMs);
}

interface OpenProgram {
  marionette: Marionette;
  assetServer: AssetServer;
  place: EnginePlace;
  count: number;
}

async function show(program: OpenProgram, message: ShownMessage): Promise<MessagePixels> {
  const { marionette, assetServer, place } = program;
  program.count += 1;
  const { width, height, pixelRatio, images } = message;
  const path = join(place.dir, `message-${program.count}.eml`);
  await writeFile(path, message.raw);
  try {
    const assetBase = `http://127.0.0.1:${place.outward[0]!.port}${assetServer.serve(message.assets)}`;
    const messageUrl = pathToFileURL(path).href.replace('file:', 'mailbox:');
    const argument = { messageUri: messageUri(path), messageUrl, assetBase, images, width, height, pixelRatio };
    const size = await command(marionette, OPEN_TIMEOUT_MS, { name: 'open', argument }) as { width: number; height: number };
    if (size.width !== width) throw new RenderError('load_failed', 'Thunderbird did not take the width.', `${size.width} for ${width}`);
    return await capture(program, message, Math.max(1, size.height));
  } finally {
    assetServer.stop();
    await rm(path, { force: true });
  }
}

async function capture(program: OpenProgram, message: ShownMessage, contentHeight: number): Promise<MessagePixels> {
  const { width, pixelRatio } = message;
  const path = join(program.place.dir, 'pixels');
  const height = Math.min(contentHeight, message.heightMax);
  const bandHeight = Math.floor(BAND_PIXELS_MAX / pixelRatio);
  const argument = { path, width, height, pixelRatio, bandHeight };
  const pixels = await command(program.marionette, CAPTURE_TIMEOUT_MS, { name: 'capture', argument }) as { width: number; height: number };
  await command(program.marionette, COMMAND_TIMEOUT_MS, { name: 'leave' });
  const rgba = await readPixels(path, pixels.width * pixels.height * 4);
  await rm(path);
  return { rgba, ...pixels, contentHeight, isCut: height < contentHeight };
}
