// A receiver of webhooks: a web server on loopback that keeps what it gets.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as it came. */
export interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  signature: { timestamp: string; token: string; signature: string };
  event: Record<string, any>;
}

type Answer = (response: ServerResponse, received: Received) => void;

export interface Receiver {
  url: string;
  host: string;
  received: Received[];
  /** What came to a path. */
  at(path: string): Received[];
  /** How a path answers; 200 unless it is said. */
  answer(path: string, how: number | Answer): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers = new Map<string, number | Answer>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const path = request.url ?? '';
      const one = { path, headers: request.headers, signature: body.signature, event: body['event-data'] };
      received.push(one);
      const how = answers.get(path) ?? 200;
      if (typeof how === 'function') return how(response, one);
      response.writeHead(how, { 'content-type': 'text/plain' }).end(`answer ${how}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    received,
    at: (path) => received.filter((one) => one.path === path),
    answer: (path, how) => void answers.set(path, how),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
