// One connection to one of the checked addresses, and the client that speaks HTTP over it.
import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import net, { isIP, type Socket } from 'node:net';
import tls, { TLSSocket, type SecureContext } from 'node:tls';
import type { Client } from 'undici';
import { canonicalAddress } from './addresses.ts';
import { ConnectTimeout, FetchError } from './fetch-error.ts';

/** The two ways with certificates: refuse what is not trusted, or go on and report. */
export type CertificatePolicy = 'verified' | 'reported';

/** The host that a connection is wanted to. */
export interface Target {
  url: URL;
  /** Of the URL, IPv6 without brackets. */
  host: string;
  /** Checked, in their canonical form. */
  addresses: readonly string[];
  certificates: CertificatePolicy;
  connectTimeoutMs: number;
  signal: AbortSignal;
}

/** What all connections of a client share. */
export interface ConnectOptions {
  /** Undefined: Node's own root certificates. */
  secureContext: SecureContext | undefined;
  headerBytesMax: number;
  /** How long a connection waits for its next request. */
  idleMs: number;
}

export interface Connection {
  readonly socket: Socket;
  /** Speaks over `socket` only: it never opens another one. */
  readonly client: Client;
  /** As in {@link Target.addresses}. */
  readonly address: string;
  readonly connectMs: number;
  /** Null for plain http. */
  readonly tlsMs: number | null;
  /** Requests that were sent over it so far. */
  uses: number;
}

/** How long the first address of a host has before the next one is tried in parallel. */
const NEXT_ADDRESS_MS = 1000;
const KEEP_ALIVE_PROBE_MS = 1000;
/** A server that says how long it keeps a connection is not asked in the last second of that. */
const CLOSING_SOON_MS = 1000;

/**
 * Connects to one of the checked addresses, in time. Throws FetchError `connect`, `tls`, `timeout` (ConnectTimeout), or
 * `refused` for a connection that went elsewhere; or the signal's reason.
 */
export function connect(target: Target, options: ConnectOptions): Promise<Connection> {
  const { url, signal, connectTimeoutMs } = target;
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  let since = performance.now();
  const lap = (): number => {
    const before = since;
    since = performance.now();
    return since - before;
  };
  const socket = openSocket(target, options);
  let connectMs: number | undefined;
  const done = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  };
  const fail = (error: Error): void => {
    done();
    socket.destroy();
    reject(error);
  };
  const onAbort = (): void => fail(signal.reason as Error);
  const late = `no connection to ${url.host} within ${connectTimeoutMs} ms`;
  const timer = setTimeout(() => fail(new ConnectTimeout(late)), connectTimeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  const ready = (tlsMs: number | null): void => {
    done();
    const client = clientOver(socket, url, options);
    const address = canonicalAddress(socket.remoteAddress ?? '');
    if (address === undefined) fail(failureOf(undefined, url, true));
    else resolve({ socket, client, address, connectMs: connectMs!, tlsMs, uses: 0 });
  };
  socket.once('connect', () => {
    connectMs = lap();
    if (!target.addresses.includes(canonicalAddress(socket.remoteAddress ?? '') ?? '')) {
      fail(new FetchError('refused', `connected to ${socket.remoteAddress}, which was not checked`));
    } else if (!(socket instanceof TLSSocket)) ready(null);
  });
  socket.once('secureConnect', () => ready(lap()));
  // Stays for as long as the socket lives: the user of the socket receives its error.
  socket.on('error', (error) => fail(failureOf(error, url, connectMs !== undefined)));
  socket.once('close', () => fail(failureOf(undefined, url, connectMs !== undefined)));
  return promise;
}

/**
 * Closes a connection, also one in use. Never without an error: the client would take the close for the end of a body,
 * and throw where nobody catches it when its request was given up.
 */
export function hangUp({ socket }: Connection): void {
  socket.destroy(new Error('the connection is not wanted any more'));
}

function failureOf(cause: Error | undefined, url: URL, isConnected: boolean): FetchError {
  if (isConnected) return new FetchError('tls', `no secure connection to ${url.host}`, cause && handshakeError(cause));
  return new FetchError('connect', `no connection to ${url.host}`, cause);
}

/** A handshake that fails has one code, as it has with a request that waits for it; OpenSSL's own is in the message. */
function handshakeError(error: NodeJS.ErrnoException): Error {
  if (!error.code?.startsWith('ERR_SSL_')) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: 'EPROTO' });
}

function openSocket({ url, host, addresses, certificates }: Target, { secureContext }: ConnectOptions): Socket {
  const isTls = url.protocol === 'https:';
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const options: net.TcpNetConnectOpts = {
    host,
    port: Number(url.port) || (isTls ? 443 : 80),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    // connect gets only addresses that passed the check, so a second DNS answer changes nothing.
    lookup: (_host, { all }, callback) => {
      if (all) callback(null, pinned);
      else callback(null, pinned[0]!.address, pinned[0]!.family);
    },
  };
  if (!isTls) return net.connect(options);
  return tls.connect({
    ...options,
    // An address is no server name (RFC 6066 §3).
    servername: isIP(host) ? '' : host,
    // No session is kept: a resumed one shows no certificate.
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: certificates === 'verified',
    ...(secureContext ? { secureContext } : {}),
  });
}

let loaded: ClientClass | undefined;

type ClientClass = new (origin: string, options: Client.Options) => Client;

const load = createRequire(import.meta.url);

/** Loaded with the first connection, and without the rest of its package, which a start would wait for. */
function clientClass(): ClientClass {
  const { ERROR } = load('undici/lib/llhttp/constants.js') as { ERROR: Record<string | number, string | number> };
  // It looks its parser's errors up by number, in a table that has them by name only: without this they have no code.
  for (const [name, number] of Object.entries(ERROR)) if (typeof number === 'number') ERROR[number] ??= name;
  return load('undici/lib/dispatcher/client.js') as ClientClass;
}

function clientOver(socket: Socket, url: URL, options: ConnectOptions): Client {
  let isGiven = false;
  const client = new (loaded ??= clientClass())(url.origin, {
    // What cannot be sent over this socket is not sent over another one: who asked decides about that.
    connect: (_options, callback) => {
      if (isGiven) return callback(new Error('the connection was closed'), null);
      isGiven = true;
      // The client expects its socket later than at once.
      queueMicrotask(() => callback(null, socket));
    },
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: options.headerBytesMax,
    // A request has one time for everything, which is not the client's to know.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: options.idleMs,
    keepAliveMaxTimeout: options.idleMs,
    keepAliveTimeoutThreshold: CLOSING_SOON_MS,
  });
  // Its types do not declare that it is called when a handler throws.
  (client as EventEmitter).on('error', (error: Error) => socket.destroy(error));
  return client;
}
