// The page of `galley dev`, and what it asks for. It only reads, and answers nobody who came by a name: a page of the
// web whose name leads to this machine would read along.
import { createReadStream, readFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { readBeside } from '../folder-files.ts';
import { UsageError } from '../usage.ts';
import type { Workspace } from './workspace.ts';

const DEFAULT_PORT = 4455;
const PORTS_TRIED = 20;
const PAGE = readFileSync(join(import.meta.dirname, 'page.html'));
/** Scripts of an email run in no client; its pictures and styles may come from anywhere, as they do there. */
const EMAIL_POLICY =
  "sandbox; default-src 'none'; img-src * data:; style-src * 'unsafe-inline'; font-src * data:; media-src *";
const PAGE_POLICY = "default-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; frame-src 'self'";
const HTML = 'text/html; charset=utf-8';
const PICTURE = /^\/picture\/([0-9a-f]{24})\/([a-z0-9_.-]+\.png)$/;
const PING_MS = 20_000;

interface DevServer {
  port: number;
  /** Emails that a page shows now. */
  open(): ReadonlySet<string>;
  tell(name: string | undefined): void;
  close(): Promise<void>;
}

interface Listener {
  name: string;
  response: ServerResponse;
}

/** Addresses and `localhost` name a machine; anything else is a name that somebody made up. */
function isOwnHost(host: string | undefined): boolean {
  const name = (host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || isIP(name) !== 0;
}

interface Content {
  type: string;
  body: string | Buffer;
  /** Content-Security-Policy. */
  policy?: string;
}

function send(response: ServerResponse, { type, body, policy }: Content): void {
  response.writeHead(200, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(policy !== undefined && { 'content-security-policy': policy }),
  });
  response.end(body);
}

const json = (value: unknown): Content => ({ type: 'application/json', body: JSON.stringify(value) });

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${message}\n`);
}

/** `/message/NAME/` is the email itself, for a browser or a phone; what it shows of its folder lies below. */
async function sendMessage(workspace: Workspace, path: string, response: ServerResponse): Promise<void> {
  const [, encoded = '', below = ''] = /^\/message\/([^/]+)\/(.*)$/.exec(path) ?? [];
  const email = workspace.sourceOf(decodeURIComponent(encoded));
  if (!email) return refuse(response, 404, 'There is no such email.');
  if (below === '') return send(response, { type: HTML, body: email.html, policy: EMAIL_POLICY });
  const folder = await realpath(dirname(email.source));
  const file = await readBeside(folder, join(folder, decodeURIComponent(below)));
  if (!file) return refuse(response, 404, 'There is no such picture in the folder of the email.');
  return send(response, file);
}

function sendPicture(folder: string, [, digest, file]: RegExpExecArray, response: ServerResponse): void {
  const stream = createReadStream(join(folder, digest!, file!));
  stream.once('error', () => refuse(response, 404, 'There is no such picture.'));
  stream.once('open', () => {
    // Its address changes with its content.
    response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'max-age=3600, immutable' });
    stream.pipe(response);
  });
}

async function answer(
  { workspace, folder, listen }: { workspace: Workspace; folder: string; listen: (listener: Listener) => void },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isOwnHost(request.headers.host)) return refuse(response, 403, 'Ask by an address of this machine.');
  if (request.method !== 'GET') return refuse(response, 405, 'This page only reads: GET.');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const name = searchParams.get('name') ?? '';
  const picture = PICTURE.exec(pathname);
  if (pathname === '/') return send(response, { type: HTML, body: PAGE, policy: PAGE_POLICY });
  if (pathname === '/emails') return send(response, json(workspace.emails.map(listed)));
  if (pathname === '/events') return listen({ name, response });
  if (pathname.startsWith('/message/')) return sendMessage(workspace, pathname, response);
  if (picture) return sendPicture(folder, picture, response);
  const state = pathname === '/email' ? workspace.stateOf(name) : undefined;
  if (!state) return refuse(response, 404, pathname === '/email' ? `There is no email ${name}.` : 'Not found.');
  workspace.open(name);
  return send(response, json(state));
}

const listed = ({ name, state, subject, findings }: Workspace['emails'][number]) => ({
  name,
  state,
  subject,
  failing: findings?.filter(({ fails }) => fails).length ?? null,
});

async function listenOn(
  server: ReturnType<typeof createServer>,
  host: string,
  port: number | undefined,
): Promise<void> {
  const tried = port === undefined ? Array.from({ length: PORTS_TRIED }, (_, at) => DEFAULT_PORT + at) : [port];
  for (const one of tried) {
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once('error', resolve);
      server.listen(one, host, () => {
        server.off('error', resolve);
        resolve(undefined);
      });
    });
    if (!error) return;
    if (error.code !== 'EADDRINUSE') throw new UsageError(`galley dev cannot listen on ${host}: ${error.message}`);
  }
  throw new UsageError(`galley dev cannot listen on ${host}: port ${tried.join(', ')} is taken. --port names another.`);
}

/** Serves the page until it is closed. Throws {@link UsageError} where it cannot listen. */
export async function serveDev(
  workspace: Workspace,
  { host, port, folder }: { host: string; port: number | undefined; folder: string },
): Promise<DevServer> {
  const listeners = new Set<Listener>();
  const listen = (listener: Listener): void => {
    const { name, response } = listener;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('retry: 1000\n\n');
    listeners.add(listener);
    response.once('close', () => listeners.delete(listener));
    workspace.open(name);
  };
  const server = createServer((request, response) => {
    answer({ workspace, folder, listen }, request, response).catch((error: unknown) =>
      response.headersSent ? response.destroy() : refuse(response, 400, (error as Error).message),
    );
  });
  await listenOn(server, host, port);
  const ping = setInterval(() => {
    for (const { response } of listeners) response.write(': still here\n\n');
  }, PING_MS).unref();
  return {
    port: (server.address() as AddressInfo).port,
    open: () => new Set([...listeners].map(({ name }) => name)),
    tell(name) {
      for (const listener of listeners)
        if (name === undefined || name === listener.name)
          listener.response.write(`event: ${name === undefined ? 'emails' : 'email'}\ndata: {}\n\n`);
    },
    async close() {
      clearInterval(ping);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
