// Set-up's second half, run with the dependencies in place: unpacks a browser and makes the fonts. Safe to repeat.
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unpackChromium } from '../src/platform/browser/chromium/unpack.ts';
import { RenderError } from '../src/platform/browser/errors.ts';
import { prepareFonts } from '../src/platform/browser/fonts/fonts.ts';
import { findChromium } from '../src/platform/browser/chromium/install.ts';
import { letOthersRead } from '../src/platform/data-dir/index.ts';

const root = join(import.meta.dirname, '..');
const runtimeDir = join(root, '.runtime');
const packagesDir = join(root, 'node_modules');

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/** What an older version of the packages left, and what a set-up made half that was killed. */
async function removeOthers(current: string, kind: RegExp): Promise<void> {
  for (const name of await readdir(runtimeDir)) {
    if (kind.test(name) && name !== basename(current))
      await rm(join(runtimeDir, name), { recursive: true, force: true });
  }
}

async function prepareChromium(): Promise<void> {
  const since = performance.now();
  const unpacked = await unpackChromium({ packageDir: join(packagesDir, '@sparticuz/chromium'), runtimeDir });
  if (unpacked.kind === 'ready') {
    if (unpacked.isNew) console.log(`browser: unpacked to ${unpacked.executablePath} (${seconds(since)})`);
    return removeOthers(dirname(unpacked.executablePath), /^chromium-\d[\w.-]*$/);
  }
  try {
    const found = await findChromium({ runtimeDir, configuredPath: process.env['GALLEY_CHROMIUM'] || undefined });
    console.log(`browser: ${found.version} at ${found.executablePath}`);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    console.log(
      `browser: the package has no Chromium for ${unpacked.platform}. ${error.message} Install Chrome or Chromium, ` +
        'or name one in GALLEY_CHROMIUM.',
    );
  }
}

async function prepareFontFiles(): Promise<void> {
  const since = performance.now();
  const fonts = await prepareFonts({ packagesDir, runtimeDir, record: process.argv.includes('--record-fonts') });
  if (fonts.isNew) console.log(`fonts: ${fonts.files} files in ${fonts.fontsConf} (${seconds(since)})`);
  await removeOthers(dirname(fonts.fontsConf), /^fonts-[0-9a-f]{12}(\.\d+\.new)?$/);
}

if (!existsSync(runtimeDir)) await mkdir(runtimeDir, { recursive: true, mode: 0o755 });
await Promise.all([prepareChromium(), prepareFontFiles()]);
// The browser runs as a user that must read these, whatever the umask of who set this up, and must never change them.
await chmod(runtimeDir, 0o755);
for (const name of await readdir(runtimeDir))
  if (/^(chromium|fonts)-[\w.-]+$/.test(name)) letOthersRead(join(runtimeDir, name));
