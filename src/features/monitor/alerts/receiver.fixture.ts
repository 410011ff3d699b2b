// A receiver of alerts: a web server on loopback that keeps what it gets, and answers as it is told.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** As it came. */
  raw: string;
  body: any;
}

export interface AlertReceiver {
  url: string;
  host: string;
  /** What was posted to a path. */
  posts(path: string): Received[];
  /** Everything, GET included. */
  received: Received[];
  /** How a path answers; without, with 200. The status 0 hangs up. */
  answer(path: string, how: { status: number; body?: string; location?: string }): void;
  close(): Promise<void>;
}

export async function startAlertReceiver(): Promise<AlertReceiver> {
  const received: Received[] = [];
  const answers = new Map<string, { status: number; body?: string; location?: string }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8');
      const path = (request.url ?? '').split('?')[0] as string;
      const { method = '', headers } = request;
      received.push({ method, path, headers, raw, body: raw === '' ? undefined : JSON.parse(raw) });
      const { status, body = 'ok', location } = answers.get(path) ?? { status: 200 };
      if (status === 0) return request.socket.destroy();
      response.writeHead(status, { 'content-type': 'text/plain', ...(location && { location }) }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    received,
    posts: (path) => received.filter((one) => one.path === path && one.method === 'POST'),
    answer: (path, how) => void answers.set(path, how),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
