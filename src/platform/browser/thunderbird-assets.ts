// Serves one message's assets, and nothing else, to a mail client that fetches them itself.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AssetSource } from './types.ts';

export interface AssetServer {
  /** Serves these assets from now on, under the path returned; whatever was served before is gone. */
  serve(assets: AssetSource): string;
  /** Serves nothing. */
  stop(): void;
  close(): Promise<void>;
}

/** For all assets of a message together: the message is drawn without those that are later. */
const ASSETS_TIMEOUT_MS = 6_000;
const HEADER_BYTES_MAX = 256 * 1024;

interface Served {
  path: string;
  assets: AssetSource;
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

async function answer(request: IncomingMessage, response: ServerResponse, served: Served | undefined): Promise<void> {
  const url = served && askedUrl(request, served.path);
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

/** Listens on a Unix socket. An asset is asked for as `GET <path><URL, percent-encoded>`. */
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
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, () => {
      resolve({
        serve(assets) {
          stop();
          const late = Promise.withResolvers<undefined>();
          const timer = setTimeout(() => late.resolve(undefined), ASSETS_TIMEOUT_MS);
          served = { path: `/${randomBytes(16).toString('hex')}/`, assets, late: late.promise, timer };
          return served.path;
        },
        stop,
        close: () => new Promise((done) => {
          stop();
          server.close(() => done());
          server.closeAllConnections();
        }),
      });
    });
  });
}
