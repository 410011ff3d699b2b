// Repairs of real messages: what the rules find before and after, how long it takes, and whether the repaired message
// looks the same in Chromium, to the pixel. `npm run bench -- accessibility [FILE_OR_FOLDER…]`: HTML files with their
// pictures beside them, and a stand-in for those that are not there; without any, the example of the documentation, stripped of what the repairs put in.
import { readFile, stat } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import { AXE_RULES, fixAccessibility, judge, MARK_ATTRIBUTE, markElements } from '../src/engines/accessibility/index.ts';
import { openBrowser, type Asset, type Browser } from '../src/platform/browser/index.ts';

const ORIGIN = 'https://news.example/';
const PANES = [{ name: 'desktop', width: 800, colorScheme: 'light' }, { name: 'phone', width: 390, colorScheme: 'light' }, { name: 'dark', width: 800, colorScheme: 'dark' }] as const;
const TYPES: Record<string, string> = { '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.gif': 'image/gif', '.webp': 'image/webp', '.svg': 'image/svg+xml', '.css': 'text/css' };

interface Message {
  name: string;
  html: string;
  /** Where its pictures lie. */
  folder: string;
}

async function messages(paths: readonly string[]): Promise<Message[]> {
  if (!paths.length) {
    const path = join(import.meta.dirname, '../docs/example/mail.html');
    const html = (await readFile(path, 'utf8')).replaceAll(/ (?:role="presentation"|alt="[^"]*"|lang="\w+"|dir="\w+")/g, '').replace(/<title>.*<\/title>\n/, '');
    return [{ name: 'the example, stripped', html, folder: dirname(path) }];
  }
  const files = (await Promise.all(paths.map(async (path) => ((await stat(path)).isDirectory() ? globSync(join(path, '**/*.html')).sort() : [path])))).flat();
  return Promise.all(files.map(async (path) => ({ name: relative(process.cwd(), path), html: await readFile(path, 'utf8'), folder: dirname(path) })));
}

/** In the place of pictures that lie elsewhere. */
const STAND_IN = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#8899aa' } }).png().toBuffer();

async function assetIn(folder: string, url: string): Promise<Asset | undefined> {
  const path = join(folder, decodeURIComponent(new URL(url).pathname));
  const contentType = TYPES[extname(path).toLowerCase()];
  const isPicture = contentType?.startsWith('image/') ?? !/\.(?:css|woff2?|ttf|otf)$|\/css/i.test(url);
  const standIn: Asset | undefined = isPicture ? { status: 200, contentType: 'image/png', body: STAND_IN } : undefined;
  if (!contentType || !url.startsWith(ORIGIN)) return standIn;
  return readFile(path).then((body) => ({ status: 200, contentType, body }), () => standIn);
}

/** Pixels that differ, their share, and the largest difference of a channel. */
async function difference(before: Buffer, after: Buffer): Promise<string> {
  const [a, b] = await Promise.all([before, after].map((png) => sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })));
  if (a!.info.width !== b!.info.width || a!.info.height !== b!.info.height) return `another size: ${a!.info.width} × ${a!.info.height} and ${b!.info.width} × ${b!.info.height}`;
  const pixels = a!.info.width * a!.info.height;
  let differing = 0;
  let largest = 0;
  for (let pixel = 0; pixel < pixels; pixel++) {
    let delta = 0;
    for (let channel = pixel * 3; channel < pixel * 3 + 3; channel++) delta = Math.max(delta, Math.abs(a!.data[channel]! - b!.data[channel]!));
    if (delta > 0) differing++;
    largest = Math.max(largest, delta);
  }
  return `${differing} of ${pixels} pixels differ${differing ? ` (${(100 * differing / pixels).toFixed(3)} %, by up to ${largest} of 255)` : ''}`;
}

async function axeNodes(browser: Browser, { html, folder }: Message): Promise<number> {
  const { failures } = await browser.audit({
    html: markElements(html), documentUrl: ORIGIN, scope: folder, width: 800, height: 900, pixelRatio: 1, colorScheme: 'light', forceDark: false,
    assets: (url) => assetIn(folder, url), rules: AXE_RULES, markAttribute: MARK_ATTRIBUTE,
  }, AbortSignal.timeout(60_000));
  return failures.reduce((sum, { nodeCount }) => sum + nodeCount, 0);
}

async function repair(browser: Browser, message: Message): Promise<void> {
  const started = performance.now();
  const { html, changes, before, after, remaining, left } = fixAccessibility(message.html);
  const tookMs = performance.now() - started;
  const judgedAt = performance.now();
  judge({ html: message.html, dark: [] });
  console.log(`\n${message.name}: ${Math.round(message.html.length / 1024)} KB, repaired in ${tookMs.toFixed(0)} ms (judged once: ${(performance.now() - judgedAt).toFixed(0)} ms)`);
  console.log(`  ${changes.length} repairs, ${changes.filter(({ check }) => check).length} of them guesses; repeated on the result: ${fixAccessibility(html).changes.length}`);
  console.log(`  places that fail: ${before.failing} before, ${after.failing} after; of rules that can be repaired: ${before.fixable} before, ${after.fixable} after${left.length ? `; left: ${[...new Set(left.map(({ rule, reason }) => `${rule} (${reason})`))].join(' ')}` : ''}`);
  console.log(`  elements that axe-core fails: ${await axeNodes(browser, message)} before, ${await axeNodes(browser, { ...message, html })} after`);
  if (remaining.length) console.log(`  for people: ${remaining.map(({ rule, instances }) => `${rule} ${instances?.length ?? 0}`).join(', ')}`);
  for (const { name, ...pane } of PANES) {
    const shoot = (shown: string) => browser.renderers[0]!.render({
      ...pane, html: shown, documentUrl: ORIGIN, scope: message.name, height: 900, heightMax: 16_000, pixelRatio: 1, forceDark: false, assets: (url) => assetIn(message.folder, url),
    }, AbortSignal.timeout(60_000));
    const [was, is] = [await shoot(message.html), await shoot(html)];
    console.log(`  ${name} ${pane.width} px: ${await difference(was.png, is.png)}`);
  }
}

/** Prints, for each message, the rules' findings before and after, and the difference in pixels. */
export async function run(): Promise<void> {
  const browser = await openBrowser({ size: 1, optionalEngines: false, log: pino({ level: 'warn' }) });
  try {
    for (const message of await messages(process.argv.slice(3))) await repair(browser, message);
  } finally {
    await browser.close();
  }
}
