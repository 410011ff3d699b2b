// The same service over https, for hosts that each have a certificate of their own.
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';

/** Answers a request as the HTTP server of the app does. */
export type AnswerRequest = RequestListener;

/** PEM. */
export interface HostCertificate {
  chain: string;
  key: string;
}

interface TlsServerOptions {
  host: string;
  port: number;
  headersTimeoutMs: number;
  /** Of a host, in lower case; undefined: it is not served, and the handshake fails. */
  find(host: string): Promise<HostCertificate | undefined>;
  /** What a certificate that cannot be used is said to. */
  onFault(host: string, error: unknown): void;
  answer: AnswerRequest;
}

const HOST_LENGTH_MAX = 253;
const REQUEST_TIMEOUT_MS = 60_000;
const CONNECTIONS_CHECKED_MS = 1000;
const CLOSING_MS = 2000;
/** Certificates that are ready for use. */
const CONTEXTS_MAX = 1000;

const contextOf = ({ chain, key }: HostCertificate): SecureContext =>
  createSecureContext({ cert: chain, key, minVersion: 'TLSv1.2' });

/** Keeps what was made for a certificate, for as long as it is asked for. */
function rememberingContexts(): (certificate: HostCertificate) => SecureContext {
  const known = new Map<string, SecureContext>();
  return (certificate) => {
    const context = known.get(certificate.chain) ?? contextOf(certificate);
    known.delete(certificate.chain);
    known.set(certificate.chain, context);
    for (const oldest of known.keys()) if (known.size > CONTEXTS_MAX) known.delete(oldest);
    return context;
  };
}

/** Rejects when the port cannot be had. */
export async function listenWithTls(options: TlsServerOptions): Promise<{ port: number; close(): Promise<void> }> {
  const { host, port, headersTimeoutMs, find, onFault, answer } = options;
  const ready = rememberingContexts();
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: CONNECTIONS_CHECKED_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      SNICallback: (name, done) => {
        const asked = name.toLowerCase();
        if (asked.length > HOST_LENGTH_MAX) return done(new Error('the name of the host is too long'));
        find(asked)
          .then((certificate) =>
            certificate ? done(null, ready(certificate)) : done(new Error('the host is not served here')),
          )
          .catch((error: unknown) => {
            onFault(asked, error);
            done(new Error('the certificate cannot be used'));
          });
      },
    },
    answer,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), CLOSING_MS);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
