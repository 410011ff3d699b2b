// One request to one checked address: the smallest step every fetch and every link check is made of.
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { parseAddress, refusalOf, type AllowList } from './addresses.ts';
import { certificateOf, type Certificate } from './certificate.ts';
import { ConnectTimeout, FetchError } from './fetch-error.ts';

/** All addresses of a host name. Rejects when there are none. */
export type AddressResolver = (host: string) => Promise<string[]>;

/** Phases in milliseconds; null for a phase that did not happen (an IP literal, plain http, a reused connection). */
export interface HopTimings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the request being sent to the first byte of the answer. */
  firstByteMs: number;
}

/** One answered request of a chain. */
export interface Hop {
  url: string;
  method: 'GET' | 'HEAD' | 'POST';
  status: number;
  /** Lower-case names; repeated headers joined by a comma. */
  headers: Record<string, string>;
  remoteAddress: string;
  isReused: boolean;
  timings: HopTimings;
  /** Null for plain http, and when certificates are only verified, not reported. */
  certificate: Certificate | null;
}

/** The two ways with certificates: refuse what is not trusted, or go on and report. */
export type CertificatePolicy = 'verified' | 'reported';

interface HopRequest {
  url: URL;
  method: 'GET' | 'HEAD' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
  certificates: CertificatePolicy;
  connectTimeoutMs: number;
  signal: AbortSignal;
}

/** What all hops of one door share. */
export interface Door {
  resolve: AddressResolver;
  allow: AllowList;
  agents: { http: http.Agent; https: https.Agent };
  /** Undefined: Node's own root certificates. */
  secureContext: SecureContext | undefined;
  headerBytesMax: number;
}

/** Sends one request; resolves when the headers of the answer are there. Throws FetchError. */
export async function openHop(request: HopRequest, door: Door): Promise<{ hop: Hop; response: http.IncomingMessage }> {
  const { url } = request;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const started = performance.now();
  const isLiteral = parseAddress(host) !== undefined;
  // Node does not call `lookup` for a literal address, so both kinds of host are checked here.
  const addresses = isLiteral ? [host] : await resolveHost(host, door.resolve, request.signal);
  const dnsMs = isLiteral ? null : performance.now() - started;
  const refusal = refusalOf({ host, port }, addresses, door.allow);
  if (refusal) throw new FetchError('refused', refusal);
  const target = { addresses: addresses.map((address) => parseAddress(address)!.toString()), door };
  // What may have an effect is sent once, and so over no connection that may just be closing.
  const answer = await send(request, request.method === 'POST' ? { ...target, isFresh: true } : target).catch((error: unknown) => {
    // A server may close a kept connection just as it is used again; that says nothing about the server.
    if (error instanceof ReusedConnectionClosed) return send(request, { ...target, isFresh: true });
    throw error;
  });
  answer.hop.timings.dnsMs = dnsMs;
  return answer;
}

async function resolveHost(host: string, resolve: AddressResolver, signal: AbortSignal): Promise<string[]> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([resolve(host), aborted]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new FetchError('dns', `${host} could not be resolved`, error);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

class ReusedConnectionClosed extends Error {}

interface Target {
  /** Checked, in their canonical form. */
  addresses: string[];
  door: Door;
  isFresh?: boolean;
}

type Phase = 'connect' | 'tls' | 'answer';

function send(request: HopRequest, target: Target): Promise<{ hop: Hop; response: http.IncomingMessage }> {
  const { url, signal } = request;
  const { promise, resolve, reject } = Promise.withResolvers<{ hop: Hop; response: http.IncomingMessage }>();
  const outgoing = (url.protocol === 'https:' ? https : http).request(url, requestOptions(request, target));
  const fail = (error: Error) => {
    reject(error);
    outgoing.destroy(error);
  };
  const onAbort = () => fail(signal.reason as Error);
  const connection = watchConnection(outgoing, { request, target, fail });
  let isAnswered = false;
  outgoing.on('response', (response) => {
    isAnswered = true;
    const timings = connection.answered();
    // The socket of a finished response is detached, so it is read now.
    resolve({ hop: hopOf({ request, response, timings, isReused: connection.isReused() }), response });
  });
  outgoing.on('error', (error) => {
    const isStale = connection.isReused() && !target.isFresh && !(error instanceof FetchError);
    reject(isStale ? new ReusedConnectionClosed() : failureOf(error, connection.phase(), url));
  });
  outgoing.on('close', () => {
    signal.removeEventListener('abort', onAbort);
    // A switch of protocols closes the request without an answer or an error.
    if (!isAnswered) reject(new FetchError('protocol', `${url.host} closed the connection without an answer`));
  });
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  outgoing.end(request.body);
  return promise;
}

/** Times the phases of a connection, gives it a deadline and makes sure that it goes where the check said. */
function watchConnection(
  outgoing: http.ClientRequest,
  context: { request: HopRequest; target: Target; fail: (error: Error) => void },
): { phase(): Phase; isReused(): boolean; answered(): HopTimings } {
  const { request, target, fail } = context;
  const timings: HopTimings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: 0 };
  let phase: Phase = 'connect';
  let isReused = false;
  let since = performance.now();
  const lap = () => {
    const before = since;
    since = performance.now();
    return since - before;
  };
  outgoing.on('socket', (socket) => {
    // Until here the request may have waited for its turn, which is not the server's fault.
    lap();
    // A request that waited for a connection gets a used one without being told, so the socket is asked.
    isReused = outgoing.reusedSocket || !socket.connecting;
    if (isReused) {
      phase = 'answer';
      return;
    }
    const late = `no connection to ${request.url.host} within ${request.connectTimeoutMs} ms`;
    const timer = setTimeout(() => fail(new ConnectTimeout(late)), request.connectTimeoutMs);
    outgoing.once('close', () => clearTimeout(timer));
    const ready = () => {
      clearTimeout(timer);
      phase = 'answer';
    };
    socket.once('connect', () => {
      timings.connectMs = lap();
      if (!target.addresses.some((address) => isSame(address, socket.remoteAddress))) {
        fail(new FetchError('refused', `connected to ${socket.remoteAddress}, which was not checked`));
      }
      if (socket instanceof TLSSocket) phase = 'tls';
      else ready();
    });
    socket.once('secureConnect', () => {
      timings.tlsMs = lap();
      ready();
    });
  });
  return {
    phase: () => phase,
    isReused: () => isReused,
    answered() {
      timings.firstByteMs = lap();
      return timings;
    },
  };
}

function requestOptions(request: HopRequest, target: Target): https.RequestOptions {
  const { door, addresses } = target;
  const isTls = request.url.protocol === 'https:';
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  return {
    method: request.method,
    headers: request.headers,
    agent: target.isFresh ? false : door.agents[isTls ? 'https' : 'http'],
    maxHeaderSize: door.headerBytesMax,
    ...(door.secureContext ? { secureContext: door.secureContext } : {}),
    rejectUnauthorized: request.certificates === 'verified',
    // Only addresses that passed the check are handed to connect, so a second DNS answer has no say.
    lookup: (_host, options, callback) => {
      if (options.all) callback(null, pinned);
      else callback(null, pinned[0]!.address, pinned[0]!.family);
    },
  };
}

function hopOf(parts: {
  request: HopRequest;
  response: http.IncomingMessage;
  timings: HopTimings;
  isReused: boolean;
}): Hop {
  const { request, response, timings, isReused } = parts;
  const { socket } = response;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const isReported = request.certificates === 'reported' && socket instanceof TLSSocket;
  return {
    url: request.url.href,
    method: request.method,
    status: response.statusCode!,
    headers,
    remoteAddress: socket.remoteAddress ?? '',
    isReused,
    timings,
    certificate: isReported ? certificateOf(socket, request.url.hostname.replace(/^\[|\]$/g, '')) : null,
  };
}

function failureOf(error: Error, phase: Phase, url: URL): Error {
  if (error instanceof FetchError) return error;
  if (phase === 'connect') return new FetchError('connect', `no connection to ${url.host}`, error);
  if (phase === 'tls') return new FetchError('tls', `no secure connection to ${url.host}`, error);
  return new FetchError('protocol', `${url.host} did not answer in HTTP`, error);
}

function isSame(address: string, remote: string | undefined): boolean {
  if (!remote || !ipaddr.isValid(remote)) return false;
  // A dual-stack socket shows an IPv4 peer in its mapped form.
  return ipaddr.process(address).toString() === ipaddr.process(remote).toString();
}
