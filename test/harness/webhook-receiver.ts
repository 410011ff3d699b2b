// A receiver of webhooks: a web server on loopback that keeps what it gets, and answers as it is told.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startWebServer } from './web-server.ts';

/** A request as it came. */
export interface Received {
  method: string;
  /** Without its query. */
  path: string;
  headers: IncomingMessage['headers'];
  raw: string;
  /** Of JSON; undefined where nothing came. */
  body: any;
  /** Of a webhook of sending. */
  signature: { timestamp: string; token: string; signature: string };
  event: Record<string, any>;
}

type Answer = (response: ServerResponse, received: Received) => void;

export interface Receiver {
  url: string;
  host: string;
  /** Everything, in order. */
  received: Received[];
  /** What came to a path. */
  at(path: string): Received[];
  /** What was posted to a path. */
  posts(path: string): Received[];
  /** How a path answers; 200 unless it is said. */
  answer(path: string, how: number | Answer): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers = new Map<string, number | Answer>();
  const { url, host, close } = await startWebServer(({ method, path: target, headers, body: raw }, response) => {
    const body = raw === '' ? undefined : JSON.parse(raw);
    const [path = ''] = target.split('?');
    const one = { method, path, headers, raw, body, signature: body?.signature, event: body?.['event-data'] };
    received.push(one);
    const how = answers.get(path) ?? 200;
    if (typeof how === 'function') return how(response, one);
    response.writeHead(how, { 'content-type': 'text/plain' }).end(`answer ${how}`);
  });
  const at = (path: string): Received[] => received.filter((one) => one.path === path);
  return {
    url,
    host,
    received,
    at,
    posts: (path) => at(path).filter(({ method }) => method === 'POST'),
    answer: (path, how) => void answers.set(path, how),
    close,
  };
}
