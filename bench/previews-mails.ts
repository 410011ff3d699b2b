// The messages of the previews benchmark: a long one, an ordinary one, a small one whose images all fail; or files.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, extname, join, normalize } from 'node:path';
import { imageServer, marketingEmail } from './marketing-email.ts';

export interface BenchMail {
  name: string;
  html: string;
  close(): void;
}

async function marketing(name: string, size?: { products: number; questions: number }): Promise<BenchMail> {
  const images = await imageServer();
  return { name, html: marketingEmail(images.url, size), close: images.close };
}

/** A welcome with merge tags that nobody has filled in: the addresses of its images lead nowhere. */
async function small(): Promise<BenchMail> {
  const tag = (name: string): string => `{{ ${name} }}`;
  const images = Array.from(
    { length: 14 },
    (_, n) => `<td><img src="${tag('assets_url')}/icon-${n}.png" width="40" height="40" alt="Icon ${n}"></td>`,
  );
  const html = marketingEmail(tag('assets_url'), { products: 0, questions: 2 })
    .replace(/<img [^>]*hero[^>]*>/, '')
    .replace('</h1>', `, ${tag('first_name')}</h1><table><tr>${images.join('')}</tr></table>`);
  return { name: 'small', html, close: () => undefined };
}

const TYPES: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.gif': 'image/gif',
};

/** An HTML file, with the images of its folder on loopback. */
async function fromFile(path: string): Promise<BenchMail> {
  const folder = dirname(path);
  const server = createServer((request, response) => {
    const file = join(folder, normalize(decodeURIComponent(new URL(request.url!, 'http://x').pathname)));
    readFile(file).then(
      (bytes) =>
        response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const html = (await readFile(path, 'utf8')).replace(/(["'(])images\//g, `$1${url}/images/`);
  const name = basename(path) === 'index.html' ? basename(folder) : basename(path, '.html');
  return {
    name,
    html,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const KINDS: Record<string, () => Promise<BenchMail>> = {
  long: () => marketing('long'),
  ordinary: () => marketing('ordinary', { products: 4, questions: 4 }),
  small,
};

/** By name, or by the path of an HTML file. */
export async function benchMail(name: string): Promise<BenchMail> {
  return KINDS[name]?.() ?? fromFile(name);
}

/** What `GALLEY_TEST_MAILS` names (commas between), or all three kinds. */
export function mailNames(): string[] {
  return process.env['GALLEY_TEST_MAILS']?.split(',') ?? Object.keys(KINDS);
}
