// Small real web sites on loopback for everything that fetches.
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCertificate } from './certificate.ts';

export interface Site {
  /** Such as `http://127.0.0.1:40123`. */
  origin: string;
  port: number;
  /** `METHOD path` of every request, in order of arrival. */
  requests: string[];
  /** TCP connections accepted so far. */
  connections(): number;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface SiteOptions {
  handle: http.RequestListener;
  /** Loopback address to listen on. */
  address?: string;
  port?: number;
  tls?: TestCertificate;
}

/** Starts a site; `close` also cuts connections that are still open. */
export async function startSite(options: SiteOptions): Promise<Site> {
  const requests: string[] = [];
  let connections = 0;
  const listener: http.RequestListener = (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    options.handle(request, response);
  };
  const server = options.tls ? https.createServer(options.tls, listener) : http.createServer(listener);
  server.on('connection', () => connections++);
  const address = options.address ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    origin: `${options.tls ? 'https' : 'http'}://${address}:${port}`,
    port,
    requests,
    connections: () => connections,
    close,
    [Symbol.asyncDispose]: close,
  };
}
