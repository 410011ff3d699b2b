// Every picture of messages in all default clients, drawn by pages that are used again and each by a page of its own:
// how many differ, by how much, and what of the time is left.
//
// GALLEY_TEST_MAILS: as for `previews`. GALLEY_TEST_CHROMIUM: the browser, instead of the one that is found.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { startGalley, type Galley } from '../src/app/serve.ts';
import { defaultClientIds } from '../src/engines/client-emulation/index.ts';
import { createChromium, type ChromiumRenderer } from '../src/platform/browser/chromium/chromium.ts';
import { findChromium } from '../src/platform/browser/chromium/install.ts';
import { createChromiumStarter } from '../src/platform/browser/chromium/start.ts';
import { findFontsConf } from '../src/platform/browser/fonts/fonts.ts';
import type { Rendering, RenderRequest } from '../src/platform/browser/types.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { createLog } from '../src/platform/log/index.ts';
import { distinctDocuments } from './distinct-documents.ts';
import { measure } from './measure.ts';
import { benchMail, mailNames } from './previews-mails.ts';
import { FREE_PORTS } from '../test/harness/program.ts';

const RUNTIME_DIR = join(import.meta.dirname, '../.runtime');
const NEVER = new AbortController().signal;
/** A documented order, as a test has it, and the order that a used page likes least. */
const ORDERS: Record<string, (requests: RenderRequest[]) => RenderRequest[]> = {
  'as planned': (requests) => requests,
  'widest first': (requests) => requests.toSorted((a, b) => b.width * b.pixelRatio - a.width * a.pixelRatio),
};

async function drawAll(
  chromium: ChromiumRenderer,
  requests: readonly RenderRequest[],
  scopeOf: (index: number) => string,
): Promise<Rendering[]> {
  const made: Rendering[] = [];
  for (const [index, request] of requests.entries())
    made.push(await chromium.render({ ...request, scope: scopeOf(index) }, NEVER));
  return made;
}

/** What a difference is like; undefined where there is none. */
async function difference(one: Rendering, other: Rendering): Promise<string | undefined> {
  if (one.png.equals(other.png)) return undefined;
  const sizes = [one, other].map(({ width, height }) => `${width}×${height}`);
  if (sizes[0] !== sizes[1]) return `${sizes.join(' and ')} pixels`;
  const [a, b] = await Promise.all(
    [one, other].map(({ png }) => sharp(png, { limitInputPixels: false }).removeAlpha().raw().toBuffer()),
  );
  let [pixels, most] = [0, 0];
  for (let at = 0; at < a!.length; at += 3) {
    const levels = Math.max(...[0, 1, 2].map((channel) => Math.abs(a![at + channel]! - b![at + channel]!)));
    if (levels > 0) pixels += 1;
    most = Math.max(most, levels);
  }
  return pixels === 0 ? undefined : `${pixels} pixels of ${a!.length / 3}, by ${most} of 255 at most`;
}

async function compare(galley: Galley, chromium: ChromiumRenderer, name: string): Promise<void> {
  const mail = await benchMail(name);
  try {
    const { requests } = await distinctDocuments(galley, mail.html, defaultClientIds());
    for (const [order, sort] of Object.entries(ORDERS)) {
      const sorted = sort([...requests]);
      const fresh = await measure(() => drawAll(chromium, sorted, (index) => `${mail.name} ${order} ${index}`));
      const used = await measure(() => drawAll(chromium, sorted, () => `${mail.name} ${order}`));
      const differences = await Promise.all(used.result.map((made, index) => difference(made, fresh.result[index]!)));
      const found = differences.flatMap((text, index) =>
        text === undefined ? [] : [`    ${sorted[index]!.width} px at ${sorted[index]!.pixelRatio}: ${text}`],
      );
      console.log(
        `${mail.name}, ${order}: ${found.length} of ${sorted.length} pictures differ; CPU × ` +
          `${(used.cpuSeconds / fresh.cpuSeconds).toFixed(2)} of pages of their own`,
      );
      for (const line of found) console.log(line);
    }
  } finally {
    mail.close();
  }
}

export async function run(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'galley-bench-'));
  const config = readConfig({
    ...FREE_PORTS,
    GALLEY_DATA_DIR: dir,
    GALLEY_ALLOW_HOSTS: '127.0.0.1',
    GALLEY_OPTIONAL_ENGINES: 'off',
  });
  const galley = await startGalley({ config, log: createLog('error') });
  const install = await findChromium({
    configuredPath: process.env['GALLEY_TEST_CHROMIUM'],
    runtimeDir: RUNTIME_DIR,
  });
  const fontsConf = await findFontsConf(RUNTIME_DIR);
  const starter = await createChromiumStarter({ install, fontsConf, log: createLog('error') });
  const chromium = createChromium(starter, { rendersMax: Number.POSITIVE_INFINITY });
  try {
    console.log(install.version);
    for (const name of mailNames()) await compare(galley, chromium, name);
  } finally {
    await chromium.close();
    await galley.close();
    await rm(dir, { recursive: true, force: true });
  }
}
