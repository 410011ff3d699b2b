// Serves one document's assets, and nothing else, to an engine that fetches them itself.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AssetSource } from './types.ts';

export interface ServedDocument {
  assets: AssetSource;
  /** The document itself, for engines that load it from here. */
  html?: string;
}

export interface AssetServer {
  /**
   * Serves this from now on; whatever was served before is gone. Returns the path: the document lies at it, an asset at
   * the path followed by its URL, percent-encoded.
   */
  serve(document: ServedDocument): string;
  /** Serves nothing. */
  stop(): void;
  close(): Promise<void>;
}

/** For all assets of a document together: it is drawn without those that are later. */
const ASSETS_TIMEOUT_MS = 6_000;
const HEADER_BYTES_MAX = 256 * 1024;

/** Scripts, frames, forms and navigation are refused; what a mail client shows is allowed, from anywhere. */
const DOCUMENT_CSP = [
  "default-src 'none'", 'img-src https: http: data:', "style-src 'unsafe-inline' https: http: data:", 'font-src https: http: data:',
  'media-src https: http: data:', "form-action 'none'", "base-uri 'none'", "frame-src 'none'", 'sandbox',
].join('; ');

interface Served extends ServedDocument {
  path: string;
  /** Resolves when the time for assets is over. */
  late: Promise<undefined>;
  timer: NodeJS.Timeout;
}

function refuse(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end();
}

function askedUrl(request: IncomingMessage, path: string): string | undefined {
  if (request.method !== 'GET' || !request.url?.startsWith(path)) return undefined;
  try {
    return decodeURIComponent(request.url.slice(path.length));
  } catch {
    return undefined; // not an address that was rewritten by us
  }
}

function sendDocument(response: ServerResponse, html: string): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': DOCUMENT_CSP,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  response.end(html);
}

async function answer(request: IncomingMessage, response: ServerResponse, served: Served | undefined): Promise<void> {
  const url = served && askedUrl(request, served.path);
  if (served?.html !== undefined && url === '') return sendDocument(response, served.html);
  const asset = served && url !== undefined ? await Promise.race([served.late, served.assets(url)]) : undefined;
  // A redirect would lead back into the program; an asset is what was found at the end of it.
  if (!asset || (asset.status >= 300 && asset.status < 400)) return refuse(response);
  response.writeHead(asset.status, {
    'content-type': asset.contentType,
    'content-length': asset.body.length,
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
  });
  response.end(asset.body);
}

/** Listens on a Unix socket. `onError` hears of assets whose source has failed; they are refused. */
export function openAssetServer(socketPath: string, onError: (error: unknown) => void): Promise<AssetServer> {
  let served: Served | undefined;
  const server = createServer({ maxHeaderSize: HEADER_BYTES_MAX }, (request, response) => {
    answer(request, response, served).catch((error: unknown) => {
      onError(error);
      if (response.headersSent) response.destroy();
      else refuse(response);
    });
  });
  const stop = (): void => {
    clearTimeout(served?.timer);
    served = undefined;
  };
  const serve = (document: ServedDocument): string => {
    stop();
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), ASSETS_TIMEOUT_MS);
    served = { ...document, path: `/${randomBytes(16).toString('hex')}/`, late: late.promise, timer };
    return served.path;
  };
  const close = (): Promise<void> => new Promise((resolve) => {
    stop();
    server.close(() => resolve());
    server.closeAllConnections();
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, () => resolve({ serve, stop, close }));
  });
}
