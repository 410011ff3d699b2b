// What the tests of the optional engines share: documents with known colors, and a look at the pixels.
import { createServer, type Server } from 'node:net';
import sharp from 'sharp';
import type { AssetSource, Rendering, RenderRequest } from '../../src/platform/browser/types.ts';

type Color = readonly [red: number, green: number, blue: number];

export const RED: Color = [220, 30, 30];
export const GREEN: Color = [30, 160, 60];
export const BLUE: Color = [20, 60, 200];

export const quietLog = { info: () => undefined, warn: () => undefined };
export const never: AbortSignal = new AbortController().signal;

/** A PNG of one color. */
export function solidPng(color: Color, width = 200, height = 80): Promise<Buffer> {
  const [r, g, b] = color;
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();
}

/** Serves one picture for every URL that ends in `.png`, and notes what was asked for. */
export function pictureSource(png: Buffer, asked: string[] = []): AssetSource {
  return async (url) => {
    asked.push(url);
    return url.endsWith('.png') ? { status: 200, contentType: 'image/png', body: png } : undefined;
  };
}

export function renderRequest(changes: Partial<RenderRequest>): RenderRequest {
  return {
    html: '',
    scope: 'test',
    width: 640,
    height: 400,
    pixelRatio: 1,
    colorScheme: 'light',
    forceDark: false,
    heightMax: 32_000,
    assets: async () => undefined,
    ...changes,
  };
}

/** An HTML message; parts are carried in it as `cid:` images. */
export function htmlMessage(html: string, parts: { cid: string; png: Buffer }[] = []): Buffer {
  const head =
    'From: Shop <shop@example.com>\r\nTo: you@example.com\r\nSubject: Test\r\n' +
    'Date: Fri, 21 Nov 2025 10:00:00 +0000\r\nMIME-Version: 1.0\r\n';
  const body = (type: string, extra: string, bytes: Buffer): string =>
    `Content-Type: ${type}\r\n${extra}Content-Transfer-Encoding: base64\r\n\r\n` +
    `${bytes.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`;
  const text = body('text/html; charset=utf-8', '', Buffer.from(html));
  if (parts.length === 0) return Buffer.from(head + text);
  const images = parts.map(({ cid, png }) =>
    body('image/png', `Content-ID: <${cid}>\r\nContent-Disposition: inline\r\n`, png),
  );
  const related = [text, ...images].map((part) => `--edge\r\n${part}`).join('');
  return Buffer.from(`${head}Content-Type: multipart/related; boundary="edge"\r\n\r\n${related}--edge--\r\n`);
}

interface Pixels {
  width: number;
  height: number;
  at(x: number, y: number): Color;
  /** How many pixels have this color, give or take what coding and color management do. */
  count(color: Color): number;
  /** How many different colors there are; 1 means blank. */
  colors: number;
}

const TOLERANCE = 6;

export async function pixelsOf({ png }: Pick<Rendering, 'png'>): Promise<Pixels> {
  const { data, info } = await sharp(png, { limitInputPixels: false })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const at = (x: number, y: number): Color => {
    const start = (y * width + x) * 3;
    return [data[start]!, data[start + 1]!, data[start + 2]!];
  };
  const found = new Map<number, number>();
  for (let start = 0; start < data.length; start += 3) {
    const key = (data[start]! << 16) | (data[start + 1]! << 8) | data[start + 2]!;
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  const count = (color: Color): number => {
    let sum = 0;
    for (const [key, number] of found) if (isNear([key >> 16, (key >> 8) & 255, key & 255], color)) sum += number;
    return sum;
  };
  return { width, height, at, count, colors: found.size };
}

export function isNear(one: Color, other: Color): boolean {
  return one.every((value, index) => Math.abs(value - other[index]!) <= TOLERANCE);
}

export function css([red, green, blue]: Color): string {
  return `rgb(${red}, ${green}, ${blue})`;
}

interface Canary {
  port: number;
  /** Connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** A TCP port on loopback that a document must never reach. */
export async function openCanary(): Promise<Canary> {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('No port.');
  return {
    port: address.port,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Resolves once the processes have ended; a zombie that nobody waits for counts as running, so parents must be alive.
 */
export async function ending(pids: readonly number[]): Promise<void> {
  while (pids.some(isRunning))
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
}

/** Every way out that a document may try; `target` stands in for any server. */
export function hostileDocument(target: string): string {
  return `<html><head><link rel="preconnect" href="${target}"><link rel="dns-prefetch" href="${target}"><link rel="prefetch" href="${target}/p">
    <link rel="stylesheet" href="${target}/s.css"><meta http-equiv="refresh" content="0; url=${target}/refresh"><base href="${target}/">
    <style>@import url("${target}/i.css"); @font-face { font-family: f; src: url("${target}/f.woff") } body { margin: 0; background: url("${target}/bg") }</style></head>
    <body onload="fetch('${target}/js')"><p style="font-family: f">Text</p><img src="${target}/img"><img srcset="${target}/set 2x"><picture><source srcset="${target}/source"><img src="x"></picture>
    <img src="file:///proc/self/status" width="9" height="9"><iframe src="file:///etc/passwd" width="600" height="90"></iframe><iframe src="${target}/frame"></iframe>
    <object data="file:///etc/hostname"></object><embed src="${target}/embed"><video src="${target}/video" poster="${target}/poster"></video><audio src="${target}/audio"></audio>
    <svg><image href="${target}/svg"/><use href="${target}/use#a"/></svg><form action="${target}/form"><input type="image" src="${target}/input"></form>
    <script src="${target}/script"></script><script>fetch("${target}/inline")</script><table background="${target}/table"><tr><td>x</td></tr></table></body></html>`;
}

/**
 * Two runs of Arial at 100 pixels, on red and on green, as wide as Arial's own: 4 × 455 and 4 × 1,706 of 2,048 to the
 * em.
 */
export const ARIAL_LINES =
  '<body style="margin:0"><div style="font:100px/100px Arial;color:transparent">' +
  `<span style="background:${css(RED)}">iiii</span><br>` +
  `<span style="background:${css(GREEN)}">mmmm</span></div></body>`;

/** The widths of the red and the green run, in pixels. */
export function inkWidths(pixels: Pixels): number[] {
  return [RED, GREEN].map((color) => {
    let widest = 0;
    for (let y = 0; y < 200; y += 20) {
      let width = 0;
      while (width < pixels.width && isNear(pixels.at(width, y), color)) width += 1;
      widest = Math.max(widest, width);
    }
    return widest;
  });
}
