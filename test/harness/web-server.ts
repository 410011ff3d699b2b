// A web server on loopback, for tests that stand in for a service: each request is handed over when its body is there.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface WebRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** The same as bytes. */
  bytes: Buffer;
}

export interface WebServer {
  url: string;
  host: string;
  close(): Promise<void>;
}

export async function startWebServer(
  handle: (request: WebRequest, response: ServerResponse) => void,
): Promise<WebServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const bytes = Buffer.concat(chunks);
      handle({ method, path: url, headers, body: bytes.toString('utf8'), bytes }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
