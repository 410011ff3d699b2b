// What the tests of the browsers share: the browsers of this machine, requests with defaults, decoded pictures.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { startChromium } from '../../src/platform/browser/chromium/process.ts';
import type { BrowserLog, ChromiumStarter } from '../../src/platform/browser/chromium/start.ts';
import { findFontsConf } from '../../src/platform/browser/fonts/fonts.ts';
import { findChromium, type ChromiumInstall } from '../../src/platform/browser/chromium/install.ts';
import type { IsolationPlan } from '../../src/platform/browser/guard/isolation.ts';
import type { Asset, RenderRequest } from '../../src/platform/browser/types.ts';

export const RUNTIME_DIR = join(import.meta.dirname, '../../.runtime');
export const SILENT: BrowserLog = { info() {}, warn() {} };
/** The start that every machine allows: only the flags keep the network closed. */
const PLAIN_PLAN: IsolationPlan = {
  prefix: [],
  hasSandbox: process.getuid?.() !== 0,
  hasNoNetwork: false,
  hasOwnProcesses: false,
  description: 'plain',
};

/** The machine's own Chromium and the unpacked one, whichever are there. */
export async function chromiumsHere(): Promise<ChromiumInstall[]> {
  const found = await findChromium({ runtimeDir: RUNTIME_DIR });
  if (found.origin === 'unpacked') return [found];
  const unpacked = join(RUNTIME_DIR, 'chromium-153.0.0', 'chromium');
  return existsSync(unpacked)
    ? [found, await findChromium({ configuredPath: unpacked, runtimeDir: RUNTIME_DIR })]
    : [found];
}

/** A starter that is bound to one plan. */
export async function starterFor(install: ChromiumInstall, plan: IsolationPlan = PLAIN_PLAN): Promise<ChromiumStarter> {
  const fontsConf = await findFontsConf(RUNTIME_DIR);
  return { install, plan, start: () => startChromium({ install, plan, fontsConf }) };
}

export function requestOf(html: string, changes: Partial<RenderRequest> = {}): RenderRequest {
  return {
    html,
    scope: 'test',
    width: 600,
    height: 400,
    pixelRatio: 1,
    colorScheme: 'light',
    forceDark: false,
    heightMax: 20_000,
    assets: async () => undefined,
    ...changes,
  };
}

/** The color of one pixel, as `#rrggbb`. */
export async function pixelOf(png: Buffer, left: number, top: number): Promise<string> {
  const bytes = await sharp(png).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return `#${bytes.toString('hex')}`;
}

/** A picture of one color, as an asset. */
export async function imageAsset(background: string, size = 20): Promise<Asset> {
  const body = await sharp({ create: { width: size, height: size, channels: 3, background } })
    .png()
    .toBuffer();
  return { status: 200, contentType: 'image/png', body };
}

export const NEVER = new AbortController().signal;

/** Whether a process lives. A zombie has ended; it waits for an init that some containers lack. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}
