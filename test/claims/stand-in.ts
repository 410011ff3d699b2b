// How like the real Thunderbird its stand-in is: one message drawn by both, and the pictures compared pixel by pixel.
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import sharp from 'sharp';
import { emulate, findClient, parseMessage, type ClientProfile } from '../../src/engines/client-emulation/index.ts';
import type { Asset, Browser, RenderRequest } from '../../src/platform/browser/index.ts';
import { htmlMessage } from '../harness/engine-bed.ts';

export interface Message {
  name: string;
  html: string;
  /** Where its pictures `images/…` lie; every other picture is a gray one. */
  folder?: string;
}

interface Likeness {
  /** Of all pixels, those whose channels all differ by at most `LEVELS`. What only one picture has differs. */
  alike: number;
  /** Height of the stand-in's picture by that of Thunderbird's. */
  height: number;
  pictures: { real: Buffer; standIn: Buffer };
}

const LEVELS = 32;
const HEIGHT_MAX = 20_000;
const NEVER = new AbortController().signal;
const FILES = 'https://files.example/';

/** Sizes that the message gives its pictures: Thunderbird does not distort them, so they are of that size. */
function sizesIn(html: string): Map<string, { width: number; height: number }> {
  const sizes = new Map<string, { width: number; height: number }>();
  for (const [tag] of html.matchAll(/<img\b[^>]*>/gi)) {
    const of = (name: string): string | undefined => new RegExp(`\\s${name}=["']?([^"'\\s>]+)`, 'i').exec(tag)?.[1];
    const [src, width, height] = [of('src'), Number(of('width')), Number(of('height'))];
    if (src && width > 0 && height > 0) sizes.set(src.replaceAll('&amp;', '&'), { width, height });
  }
  return sizes;
}

const grays = new Map<string, Promise<Buffer>>();

function grayPicture({ width, height }: { width: number; height: number }): Promise<Buffer> {
  const key = `${width}x${height}`;
  let png = grays.get(key);
  if (!png) {
    png = sharp({ create: { width, height, channels: 3, background: '#808890' } })
      .png()
      .toBuffer();
    grays.set(key, png);
  }
  return png;
}

async function asset(
  url: string,
  { folder, sizes }: { folder: string | undefined; sizes: ReturnType<typeof sizesIn> },
): Promise<Asset | undefined> {
  if (folder !== undefined && url.startsWith(FILES)) {
    const file = join(folder, normalize(`/${decodeURIComponent(new URL(url).pathname)}`));
    const body = await readFile(file).catch(() => undefined);
    if (body) return { status: 200, contentType: file.endsWith('.png') ? 'image/png' : 'image/jpeg', body };
  }
  return /\.(?:css|woff2?|ttf)\b|fonts\.googleapis/.test(url)
    ? undefined
    : { status: 200, contentType: 'image/png', body: await grayPicture(sizes.get(url) ?? { width: 320, height: 160 }) };
}

/** Draws a message as the real client and as its stand-in, and compares. */
export async function compareStandIn(browser: Browser, message: Message, scheme: 'light' | 'dark'): Promise<Likeness> {
  const client: ClientProfile = findClient(scheme === 'dark' ? 'thunderbird_dm' : 'thunderbird')!;
  const html = message.html.replace(/(["'(])images\//g, `$1${FILES}images/`);
  const sizes = sizesIn(html);
  const emulated = emulate(parseMessage(html), client, { images: true });
  const request: RenderRequest = {
    html: emulated.html,
    scope: 'stand-in',
    ...client.viewport,
    pixelRatio: 1,
    colorScheme: scheme,
    forceDark: emulated.forceDark,
    heightMax: HEIGHT_MAX,
    message: { raw: htmlMessage(html), images: true },
    assets: (url) => asset(url, { folder: message.folder, sizes }),
  };
  const real = await browser.pick('thunderbird', scheme).render(request, NEVER);
  if (real.engine.name !== 'thunderbird') throw new Error(`${real.engine.name} drew in place of Thunderbird.`);
  const standIn = await browser.pick('chromium', scheme).render(request, NEVER);
  return {
    alike: await shareAlike(real.png, standIn.png),
    height: standIn.contentHeight / real.contentHeight,
    pictures: { real: real.png, standIn: standIn.png },
  };
}

async function shareAlike(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map(pixels));
  const [width, height] = [Math.min(a!.width, b!.width), Math.min(a!.height, b!.height)];
  let same = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [i, j] = [(y * a!.width + x) * 3, (y * b!.width + x) * 3];
      if ([0, 1, 2].every((c) => Math.abs(a!.data[i + c]! - b!.data[j + c]!) <= LEVELS)) same += 1;
    }
  return same / (Math.max(a!.width, b!.width) * Math.max(a!.height, b!.height));
}

async function pixels(png: Buffer): Promise<{ data: Buffer; width: number; height: number }> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
