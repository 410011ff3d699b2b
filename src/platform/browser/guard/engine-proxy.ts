// Stands in for the whole web before an engine that can reach nothing else: as its HTTP proxy, for http and https
// alike, it answers with one document and that document's assets.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { MAIL_CSP, MAIL_ORIGIN } from '../chromium/flags.ts';
import { RenderError } from '../errors.ts';
import { selfSigned } from './self-signed.ts';
import { isSvg, stillSvg } from '../still-svg.ts';
import type { Asset, AssetSource } from '../types.ts';

interface Served {
  assets: AssetSource;
  /** The document itself, for engines that load it from an address. */
  document?: { url: string; html: string; csp?: string };
}

export interface EngineProxy {
  /**
   * Answers with this while `work` runs. Throws what `work` throws, or `RenderError` (`load_failed`) when the source of
   * the assets has failed, because the picture would be kept although it is wrong.
   */
  serving<T>(served: Served, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Time for all assets of a document together, from when the engine asks for the first: it is drawn without later ones. */
const ASSETS_TIMEOUT_MS = 6_000;
const HEADER_BYTES_MAX = 256 * 1024;

interface Serving extends Served {
  /** Resolves when the time for assets is over, which begins with the first call. */
  late: () => Promise<undefined>;
  failure: RenderError | undefined;
}

/** The address of the `count`-th document of a process, where the request names none. */
export function documentUrlOf(url: string | undefined, count: number): string {
  if (url === undefined) return `${MAIL_ORIGIN}/${count}`;
  const whole = new URL(url);
  whole.hash = '';
  return whole.href;
}

function refuse(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end();
}

function sendDocument(response: ServerResponse, { html, csp = MAIL_CSP }: { html: string; csp?: string }): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': csp,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  response.end(html);
}

function sendAsset(response: ServerResponse, asset: Asset): void {
  const body = isSvg(asset) ? stillSvg(asset.body) : asset.body;
  response.writeHead(asset.status, {
    'content-type': asset.contentType,
    'content-length': body.length,
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
  });
  response.end(body);
}

/** The asset, or that of the same address with the other scheme: engines upgrade http in ways that differ. */
async function assetOf(serving: Serving, url: string): Promise<Asset | undefined> {
  try {
    const found = await Promise.race([serving.assets(url), serving.late()]);
    const other = url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:');
    return found ?? (await Promise.race([serving.assets(other), serving.late()]));
  } catch (cause) {
    serving.failure ??= new RenderError('load_failed', `The asset ${url} could not be read.`, cause);
    return undefined;
  }
}

/** The whole address that is meant: proxied http names it in the request line, https within its tunnel does not. */
function addressOf(request: IncomingMessage, isTunnel: boolean): string | undefined {
  const { url = '', headers } = request;
  const text = isTunnel ? `https://${headers.host ?? ''}${url}` : url;
  return URL.canParse(text) && /^https?:/i.test(text) ? new URL(text).href : undefined;
}

async function answer(response: ServerResponse, serving: Serving, url: string): Promise<void> {
  const { document } = serving;
  if (document?.url === url) return sendDocument(response, document);
  // Beside the document's own address nothing is known of that origin.
  const asset = url.startsWith(`${MAIL_ORIGIN}/`) ? undefined : await assetOf(serving, url);
  // A redirect would have to be followed by nobody; an asset is what was found at its end.
  if (!asset || (asset.status >= 300 && asset.status < 400)) return refuse(response);
  sendAsset(response, asset);
}

/** Listens on a Unix socket. Its certificate is trusted by nobody: the engine must be told to accept it. */
export async function openEngineProxy(socketPath: string): Promise<EngineProxy> {
  let serving: Serving | undefined;
  const listener =
    (isTunnel: boolean) =>
    (request: IncomingMessage, response: ServerResponse): void => {
      const url = addressOf(request, isTunnel);
      if (!serving || url === undefined || request.method !== 'GET') return refuse(response);
      answer(response, serving, url).catch(() => response.destroy()); // the engine has gone away
    };
  const options = { maxHeaderSize: HEADER_BYTES_MAX };
  const tunnels = createTlsServer({ ...options, ...selfSigned('Galley assets') }, listener(true));
  const server = createServer(options, listener(false));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy()); // an engine that is killed closes as it likes
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    tunnels.emit('connection', socket);
  });
  await listen(server, socketPath);

  return {
    async serving(served, work) {
      const late = Promise.withResolvers<undefined>();
      let timer: NodeJS.Timeout | undefined;
      const startLate = (): Promise<undefined> => {
        timer ??= setTimeout(() => late.resolve(undefined), ASSETS_TIMEOUT_MS);
        return late.promise;
      };
      const current: Serving = { ...served, late: startLate, failure: undefined };
      serving = current;
      try {
        const result = await work();
        if (current.failure) throw current.failure;
        return result;
      } finally {
        clearTimeout(timer);
        serving = undefined;
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listen(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
