// Set-up's second half, run with the dependencies in place: unpacks a browser and makes the fonts. Safe to repeat.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackChromium } from '../src/platform/browser/chromium-unpack.ts';
import { prepareFonts } from '../src/platform/browser/fonts.ts';
import { findChromium } from '../src/platform/browser/install.ts';

const root = join(import.meta.dirname, '..');
const runtimeDir = join(root, '.runtime');
const packagesDir = join(root, 'node_modules');

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

async function prepareChromium(): Promise<void> {
  const since = performance.now();
  const unpacked = await unpackChromium({ packageDir: join(packagesDir, '@sparticuz/chromium'), runtimeDir });
  if (unpacked.kind === 'ready') {
    if (unpacked.isNew) console.log(`browser: unpacked to ${unpacked.executablePath} (${seconds(since)})`);
    return;
  }
  console.log(`browser: no bundled Chromium for ${unpacked.platform}; looking for an installed one`);
  const found = await findChromium({ runtimeDir, configuredPath: process.env['GALLEY_CHROMIUM'] });
  console.log(`browser: ${found.version} at ${found.executablePath}`);
}

async function prepareFontFiles(): Promise<void> {
  const since = performance.now();
  const fonts = await prepareFonts({ packagesDir, runtimeDir });
  if (fonts.isNew) console.log(`fonts: ${fonts.files} files in ${fonts.fontsConf} (${seconds(since)})`);
}

if (!existsSync(runtimeDir)) await mkdir(runtimeDir, { recursive: true, mode: 0o755 });
await Promise.all([prepareChromium(), prepareFontFiles()]);
