// A server with real pictures, good and bad, for the tests of this feature.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';

export interface ImageServer {
  /** `http://127.0.0.1:port` */
  url: string;
  /** Serve this from now on. */
  set(path: string, type: string, body: Buffer | string): void;
  /** Lets `/held.png` answer, now and from now on. */
  release(): void;
  close(): Promise<void>;
}

const svg = (width: number, height: number, shapes: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`);

/** Soft shapes and grain: what a camera gives. */
export async function photo(width: number, height: number): Promise<Buffer> {
  const shapes = Array.from(
    { length: 30 },
    (_, at) =>
      `<circle cx="${(at * 97) % width}" cy="${(at * 53) % height}" r="${20 + ((at * 31) % 90)}" ` +
      `fill="hsl(${at * 37} 50% ${30 + ((at * 17) % 40)}%)"/>`,
  );
  const ground = await sharp(svg(width, height, `<rect width="100%" height="100%" fill="#7a94b8"/>${shapes.join('')}`))
    .blur(3)
    .removeAlpha()
    .png()
    .toBuffer();
  return sharp(ground).jpeg({ quality: 96 }).toBuffer();
}

/** A black mark on nothing: fine in light mode. */
export const darkLogo = (): Promise<Buffer> =>
  sharp(
    svg(
      200,
      80,
      '<circle cx="40" cy="40" r="30" fill="#0a0a0a"/><rect x="90" y="20" width="90" height="40" fill="#101010"/>',
    ),
  )
    .png()
    .toBuffer();

/** A ball that runs over a dark ground. */
export async function animation(frames: number, loops = 0): Promise<Buffer> {
  const [width, height] = [120, 60];
  const drawn = await Promise.all(
    Array.from({ length: frames }, (_, at) =>
      sharp(
        svg(
          width,
          height,
          `<rect width="120" height="60" fill="#144a78"/><circle cx="${(at * 7) % width}" ` +
            'cy="30" r="14" fill="#e8c13a"/>',
        ),
      )
        .removeAlpha()
        .raw()
        .toBuffer(),
    ),
  );
  return sharp(Buffer.concat(drawn), { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .gif({ delay: drawn.map(() => 50), loop: loops })
    .toBuffer();
}

/** A PNG of a few hundred bytes whose header promises this many pixels. */
async function bomb(width: number, height: number): Promise<Buffer> {
  const png = await sharp(svg(9, 9, '<circle r="4"/>'))
    .png()
    .toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

async function pictures(): Promise<Map<string, { type: string; body: Buffer | string }>> {
  const large = await photo(1200, 800);
  return new Map<string, { type: string; body: Buffer | string }>([
    ['/photo.jpg', { type: 'image/jpeg', body: large }],
    [
      '/small.png',
      {
        type: 'image/png',
        body: await sharp({ create: { width: 64, height: 64, channels: 3, background: '#d00000' } })
          .png({ palette: true, colors: 2, compressionLevel: 9 })
          .toBuffer(),
      },
    ],
    ['/logo.png', { type: 'image/png', body: await darkLogo() }],
    ['/hundred.gif', { type: 'image/gif', body: await animation(100) }],
    [
      '/wrong.gif',
      {
        type: 'text/plain',
        body: await sharp({ create: { width: 20, height: 20, channels: 3, background: '#00d000' } })
          .png()
          .toBuffer(),
      },
    ],
    ['/picture.webp', { type: 'image/webp', body: await sharp(large).resize(300).webp().toBuffer() }],
    ['/page.png', { type: 'text/html', body: '<!doctype html><title>Not here</title><p>Sign in first.' }],
    ['/half.jpg', { type: 'image/jpeg', body: large.subarray(0, large.length >> 1) }],
    ['/bomb.png', { type: 'image/png', body: await bomb(30_000, 30_000) }],
    ['/huge.png', { type: 'image/png', body: Buffer.alloc(15 * 1024 * 1024 + 1, 'galley') }],
    [
      '/mark.svg',
      {
        type: 'image/svg+xml',
        body: svg(
          100,
          40,
          '<script>fetch("https://evil.example/")</script><rect width="100" height="40" ' +
            'fill="#b00" onclick="alert(1)"/>',
        ),
      },
    ],
  ]);
}

/** Also `/redirect` to `/photo.jpg`, `/inward` to a private address, and `/held.png`, which waits for `release`. */
export async function imageServer(): Promise<ImageServer> {
  const files = await pictures();
  const held = Promise.withResolvers<void>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    if (path === '/redirect') return void response.writeHead(302, { location: '/photo.jpg' }).end();
    if (path === '/inward')
      return void response.writeHead(302, { location: 'http://169.254.169.254/latest/a.png' }).end();
    if (path === '/held.png') await held.promise;
    const file = files.get(path === '/held.png' ? '/small.png' : path);
    if (!file) return void response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Nothing here');
    response.writeHead(200, { 'content-type': file.type }).end(file.body);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (path, type, body) => files.set(path, { type, body }),
    release: () => held.resolve(),
    close: () =>
      new Promise((resolve) => {
        held.resolve();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
