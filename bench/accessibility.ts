// Repairs of real messages, with the looks kept and adjusted: what the rules find before and after, how long it takes,
// and how far the repaired message looks the same in Chromium, to the pixel.
// `npm run bench -- accessibility [FILE_OR_FOLDER…]`: HTML files with their pictures beside them, and a stand-in for
// those that are not there; without any, the example of the documentation, stripped of what the repairs put in.
import { readFile, stat } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import {
  AXE_RULES,
  fixAccessibility,
  judge,
  MARK_ATTRIBUTE,
  markElements,
} from '../src/engines/accessibility/index.ts';
import { alignRows } from '../src/engines/pictures/align-rows.ts';
import type { Picture } from '../src/engines/pictures/index.ts';
import { openBrowser, type Asset, type Browser } from '../src/platform/browser/index.ts';

const ORIGIN = 'https://news.example/';
const PANES = [
  { name: 'desktop', width: 800, colorScheme: 'light' },
  { name: 'phone', width: 390, colorScheme: 'light' },
  { name: 'dark', width: 800, colorScheme: 'dark' },
] as const;
const TYPES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.css': 'text/css',
};

interface Message {
  name: string;
  html: string;
  /** Where its pictures lie. */
  folder: string;
}

async function messages(paths: readonly string[]): Promise<Message[]> {
  if (!paths.length) {
    const path = join(import.meta.dirname, '../docs/example/mail.html');
    const html = (await readFile(path, 'utf8'))
      .replaceAll(/ (?:role="presentation"|alt="[^"]*"|lang="\w+"|dir="\w+")/g, '')
      .replace(/<title>.*<\/title>\n/, '');
    return [{ name: 'the example, stripped', html, folder: dirname(path) }];
  }
  const files = (
    await Promise.all(
      paths.map(async (path) => ((await stat(path)).isDirectory() ? globSync(join(path, '**/*.html')).sort() : [path])),
    )
  ).flat();
  return Promise.all(
    files.map(async (path) => ({
      name: relative(process.cwd(), path),
      html: await readFile(path, 'utf8'),
      folder: dirname(path),
    })),
  );
}

/** In the place of pictures that lie elsewhere. */
const STAND_IN = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#8899aa' } })
  .png()
  .toBuffer();

async function assetIn(folder: string, url: string): Promise<Asset | undefined> {
  const path = join(folder, decodeURIComponent(new URL(url).pathname));
  const contentType = TYPES[extname(path).toLowerCase()];
  const isPicture = contentType?.startsWith('image/') ?? !/\.(?:css|woff2?|ttf|otf)$|\/css/i.test(url);
  const standIn: Asset | undefined = isPicture ? { status: 200, contentType: 'image/png', body: STAND_IN } : undefined;
  if (!contentType || !url.startsWith(ORIGIN)) return standIn;
  return readFile(path).then(
    (body) => ({ status: 200, contentType, body }),
    () => standIn,
  );
}

/**
 * The share of pixels that differ at all, and the mean difference of a channel over all rows that both pictures have.
 * Rows that only moved are held against themselves; of a row that one picture alone has, every pixel differs.
 */
async function difference(before: Buffer, after: Buffer): Promise<string> {
  const [a, b] = (await Promise.all(
    [before, after].map(async (png) => {
      const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      return { width: info.width, height: info.height, data: new Uint8Array(data) };
    }),
  )) as [Picture, Picture];
  const pairs = alignRows(a, b);
  const pixels = pairs.length * a.width;
  let differing = 0;
  let sum = 0;
  const shared = pairs.filter((pair) => pair.a >= 0 && pair.b >= 0);
  differing += (pairs.length - shared.length) * a.width;
  for (const pair of shared) {
    for (let x = 0; x < a.width; x++) {
      const apart = [0, 1, 2].map((channel) =>
        Math.abs(a.data[(pair.a * a.width + x) * 4 + channel]! - b.data[(pair.b * b.width + x) * 4 + channel]!),
      );
      if (apart.some((one) => one > 0)) differing++;
      sum += apart[0]! + apart[1]! + apart[2]!;
    }
  }
  if (differing === 0) return `0 of ${pixels} pixels differ`;
  const height = a.height === b.height ? '' : `, height ${a.height} → ${b.height}`;
  return (
    `${((100 * differing) / pixels).toFixed(2)} % of the pixels differ, mean difference ` +
    `${(sum / (shared.length * a.width) / 3).toFixed(2)} of 255${height}`
  );
}

async function axeNodes(browser: Browser, { html, folder }: Message): Promise<number> {
  const { failures } = await browser.audit(
    {
      html: markElements(html),
      documentUrl: ORIGIN,
      scope: folder,
      width: 800,
      height: 900,
      pixelRatio: 1,
      colorScheme: 'light',
      forceDark: false,
      assets: (url) => assetIn(folder, url),
      rules: AXE_RULES,
      markAttribute: MARK_ATTRIBUTE,
    },
    AbortSignal.timeout(60_000),
  );
  return failures.reduce((sum, { nodeCount }) => sum + nodeCount, 0);
}

async function repair(browser: Browser, message: Message, looks: 'keep' | 'adjust'): Promise<void> {
  const started = performance.now();
  const { html, changes, before, after, remaining, left } = fixAccessibility(message.html, { looks });
  const tookMs = performance.now() - started;
  const judgedAt = performance.now();
  judge({ html: message.html, dark: [] });
  console.log(
    `\n${message.name}, looks ${looks}: ${Math.round(message.html.length / 1024)} KB, repaired in ` +
      `${tookMs.toFixed(0)} ms (judged once: ${(performance.now() - judgedAt).toFixed(0)} ms)`,
  );
  console.log(
    `  ${changes.length} repairs, ${changes.filter(({ check }) => check).length} of them guesses, ` +
      `${changes.filter(({ changesLook }) => changesLook).length} seen; repeated on the result: ` +
      `${fixAccessibility(html, { looks }).changes.length}`,
  );
  console.log(
    `  places that fail: ${before.failing} before, ${after.failing} after; of rules that can be repaired: ` +
      `${before.fixable} before, ${after.fixable} ` +
      'after' +
      `${left.length ? `; left: ${[...new Set(left.map(({ rule, reason }) => `${rule} (${reason})`))].join(' ')}` : ''}`,
  );
  console.log(
    `  elements that axe-core fails: ${await axeNodes(browser, message)} before, ` +
      `${await axeNodes(browser, { ...message, html })} after`,
  );
  if (remaining.length)
    console.log(
      `  for people: ${remaining.map(({ rule, instances }) => `${rule} ${instances?.length ?? 0}`).join(', ')}`,
    );
  for (const { name, ...pane } of PANES) {
    const shoot = (shown: string) =>
      browser.renderers[0]!.render(
        {
          ...pane,
          html: shown,
          documentUrl: ORIGIN,
          scope: message.name,
          height: 900,
          heightMax: 16_000,
          pixelRatio: 1,
          forceDark: false,
          assets: (url) => assetIn(message.folder, url),
        },
        AbortSignal.timeout(60_000),
      );
    const [was, is] = [await shoot(message.html), await shoot(html)];
    console.log(`  ${name} ${pane.width} px: ${await difference(was.png, is.png)}`);
  }
}

/** Prints, for each message, the rules' findings before and after, and the difference in pixels. */
export async function run(): Promise<void> {
  const browser = await openBrowser({ size: 1, optionalEngines: false, log: pino({ level: 'warn' }) });
  try {
    for (const message of await messages(process.argv.slice(3)))
      for (const looks of ['keep', 'adjust'] as const) await repair(browser, message, looks);
  } finally {
    await browser.close();
  }
}
