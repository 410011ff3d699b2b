// One headless Thunderbird with a message window.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EngineIsolation } from '../guard/engine-isolation.ts';
import { writeForProgram } from '../guard/engine-process.ts';
import type { WarmProcess } from '../engine-warm.ts';
import { thunderbirdPrefs } from './prefs.ts';
import {
  ANSWER_TIMEOUT_MS,
  readCommands,
  START_TIMEOUT_MS,
  startGecko,
  type Gecko,
  type GeckoOptions,
  type GeckoPixels,
  type GeckoSize,
  type GeckoView,
} from './process.ts';
import type { AssetSource } from '../types.ts';

interface ThunderbirdProcessOptions extends GeckoOptions {
  colorScheme: 'light' | 'dark';
}

interface ShownMessage extends GeckoView {
  raw: Buffer;
  /** Remote images are shown. Images that the message carries always are. */
  images: boolean;
  assets: AssetSource;
}

export interface ThunderbirdProcess extends WarmProcess {
  /** Shows a message and captures it from its top. One at a time. Throws `RenderError`. */
  show(message: ShownMessage): Promise<GeckoPixels>;
}

const COMMANDS = readCommands('thunderbird-chrome.js');
const WARM_UP =
  'From: Galley <galley@localhost>\r\nSubject: warm-up\r\nMIME-Version: 1.0\r\n' +
  'Content-Type: text/html\r\n\r\n<p>warm-up</p>\r\n';

function messageUri(path: string): string {
  return `${pathToFileURL(path).href}?type=application/x-message-display`;
}

/** Starts Thunderbird and opens a message window. Throws `RenderError` (`start_failed`, `timeout`). */
export async function startThunderbird(options: ThunderbirdProcessOptions): Promise<ThunderbirdProcess> {
  const gecko = await startGecko(
    { name: 'thunderbird', prefs: thunderbirdPrefs(options.colorScheme), commands: COMMANDS },
    options,
  );
  try {
    const path = join(gecko.place.dir, 'warm-up.eml');
    writeForProgram(path, WARM_UP, options.isolation);
    await gecko.command({ name: 'install', argument: messageUri(path), timeoutMs: START_TIMEOUT_MS });
  } catch (error) {
    await gecko.end();
    throw error;
  }
  let count = 0;
  return {
    pid: gecko.pid,
    ended: gecko.ended,
    end: () => gecko.end(),
    show(message) {
      count += 1;
      const path = join(gecko.place.dir, `message-${count}.eml`);
      return gecko.proxy.serving({ assets: message.assets }, () =>
        show(gecko, message, { path, isolation: options.isolation }),
      );
    },
  };
}

async function show(
  gecko: Gecko,
  message: ShownMessage,
  { path, isolation }: { path: string; isolation: EngineIsolation },
): Promise<GeckoPixels> {
  const { width, height, pixelRatio, images } = message;
  writeForProgram(path, message.raw, isolation);
  try {
    const messageUrl = pathToFileURL(path).href.replace('file:', 'mailbox:');
    const argument = { messageUri: messageUri(path), messageUrl, images, width, height, pixelRatio };
    const size = (await gecko.command({ name: 'open', argument, timeoutMs: ANSWER_TIMEOUT_MS })) as GeckoSize;
    const pixels = await gecko.capture(message, size);
    await gecko.command({ name: 'leave', timeoutMs: ANSWER_TIMEOUT_MS });
    return pixels;
  } finally {
    await rm(path, { force: true });
  }
}
