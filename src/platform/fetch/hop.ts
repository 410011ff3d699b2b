// One request to one checked address: the smallest step every fetch and every link check is made of.
import { TLSSocket } from 'node:tls';
import { canonicalAddress, parseAddress, refusalOf, type AllowList } from './addresses.ts';
import { exchange, type Answer } from './answer.ts';
import { certificateOf, type Certificate } from './certificate.ts';
import { hangUp, type CertificatePolicy, type Connection, type Target } from './connect.ts';
import type { Connections } from './connections.ts';
import { FetchError } from './fetch-error.ts';

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

interface HopRequest {
  url: URL;
  method: 'GET' | 'HEAD' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
  certificates: CertificatePolicy;
  connectTimeoutMs: number;
  signal: AbortSignal;
}

/** The parts that all hops of one client share. */
export interface Door {
  resolve: AddressResolver;
  allow: AllowList;
  connections: { http: Connections; https: Connections };
}

/** What was answered: the hop for the report, and the answer whose body may still be arriving. */
interface Answered {
  hop: Hop;
  answer: Answer;
}

/** Sends one request; resolves when the headers of the answer are there. Throws FetchError. */
export async function openHop(request: HopRequest, door: Door): Promise<Answered> {
  const { url } = request;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const started = performance.now();
  const isLiteral = parseAddress(host) !== undefined;
  // Node does not call `lookup` for a literal address, so both kinds of host are checked here.
  const found = isLiteral ? [host] : await resolveHost(host, door.resolve, request.signal);
  const dnsMs = isLiteral ? null : performance.now() - started;
  const refusal = refusalOf({ host, port }, found, door.allow);
  if (refusal) throw new FetchError('refused', refusal);
  const addresses = found.map((address) => canonicalAddress(address)!);
  const { certificates, connectTimeoutMs, signal } = request;
  const target: Target = { url, host, addresses, certificates, connectTimeoutMs, signal };
  // A request that may have an effect is sent only once, so it uses no connection that may be closing.
  const answered = await send(request, target, { door, isFresh: request.method === 'POST' }).catch((error: unknown) => {
    // A server may close a kept connection just as it is used again; that says nothing about the server.
    if (error instanceof KeptConnectionFailed) return send(request, target, { door, isFresh: true });
    throw error;
  });
  answered.hop.timings.dnsMs = dnsMs;
  return answered;
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

class KeptConnectionFailed extends Error {}

async function send(request: HopRequest, target: Target, how: { door: Door; isFresh: boolean }): Promise<Answered> {
  const { url, signal } = request;
  const connections = how.door.connections[url.protocol === 'https:' ? 'https' : 'http'];
  const connection = await connections.take(target, how.isFresh);
  if (signal.aborted) hangUp(connection);
  signal.throwIfAborted();
  const isReused = connection.uses > 0;
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const sentAt = performance.now();
  const onAbort = (): void => {
    reject(signal.reason as Error);
    hangUp(connection);
  };
  const forget = (): void => signal.removeEventListener('abort', onAbort);
  signal.addEventListener('abort', onAbort, { once: true });
  exchange(connection, request, {
    answered(answer) {
      forget();
      const firstByteMs = performance.now() - sentAt;
      resolve({ hop: hopOf(request, { target, connection, answer, isReused, firstByteMs }), answer });
    },
    failed(error) {
      forget();
      if (isInvalid(error)) reject(error);
      else if (isReused) reject(new KeptConnectionFailed());
      else reject(new FetchError('protocol', `${url.host} did not answer in HTTP`, error));
    },
    finished: () => connections.release(connection),
  });
  return promise;
}

/** The client's word for a request that cannot be written down, which is ours to mend. */
function isInvalid(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === 'UND_ERR_INVALID_ARG';
}

interface HopParts {
  target: Target;
  connection: Connection;
  answer: Answer;
  isReused: boolean;
  firstByteMs: number;
}

function hopOf(request: HopRequest, { target, connection, answer, isReused, firstByteMs }: HopParts): Hop {
  const { socket, connectMs, tlsMs, address } = connection;
  const isReported = request.certificates === 'reported' && socket instanceof TLSSocket;
  return {
    url: request.url.href,
    method: request.method,
    status: answer.status,
    headers: answer.headers,
    remoteAddress: address,
    isReused,
    timings: { dnsMs: null, connectMs: isReused ? null : connectMs, tlsMs: isReused ? null : tlsMs, firstByteMs },
    certificate: isReported ? certificateOf(socket, target.host) : null,
  };
}
