// A web server on loopback with a few real pictures, that counts what is asked of it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

export interface AssetServer {
  /** `http://127.0.0.1:port` */
  url: string;
  /** Paths asked for, in order. */
  requests: string[];
  /** Serve this instead, from now on. */
  set(path: string, type: string, body: Buffer | string): void;
  close(): Promise<void>;
}

/** `/red.png` is 120 × 80 red pixels, `/style.css` a style sheet; more by `set`. */
export async function assetServer(): Promise<AssetServer> {
  const files = new Map<string, { type: string; body: Buffer | string }>();
  files.set('/red.png', {
    type: 'image/png',
    body: await sharp({ create: { width: 120, height: 80, channels: 3, background: '#d00000' } })
      .png()
      .toBuffer(),
  });
  files.set('/style.css', { type: 'text/css', body: 'h1 { color: #123456 }' });
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const file = files.get(request.url ?? '');
    if (!file) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': file.type }).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    set: (path, type, body) => files.set(path, { type, body }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
