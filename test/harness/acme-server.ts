// A small authority that speaks ACME (RFC 8555): it verifies signatures and nonces, really fetches what a host says
// (http-01), checks the request for a certificate, and signs with a CA of its own.
import {
  createHash,
  createPublicKey,
  randomBytes,
  verify,
  X509Certificate,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signCertificate } from '../../src/platform/certificates/index.ts';
import { makeCertificate } from './certificate.ts';

interface Refusal {
  status: number;
  type: string;
  detail: string;
  retryAfter?: string;
}

export interface AcmeServer {
  directoryUrl: string;
  /** PEM of what signs. */
  ca: string;
  /** Answers of this kind from now on, by the name of the service, such as `newOrder`. */
  refusals: Map<string, Refusal>;
  /** The names of services that were asked, in order. */
  asked: string[];
  issued: X509Certificate[];
  /** Where tracking hosts are reached at port 80. */
  hostsAt: { port: number };
  /** When certificates that are issued now end. */
  validTo: () => Date;
  close(): Promise<void>;
}

interface Order {
  host: string;
  token: string;
  status: 'pending' | 'ready' | 'processing' | 'valid';
  authorization: 'pending' | 'valid' | 'invalid';
  error?: object;
  certificate?: string;
}

class Problem extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

const malformed = (detail: string): Problem => new Problem({ status: 400, type: 'malformed', detail });
const DAY_MS = 86_400_000;

/** A value of DER: its content, and where the next begins. */
function valueAt(der: Buffer, at: number): { whole: Buffer; content: Buffer; next: number } {
  const short = der[at + 1]!;
  const lengthBytes = short < 128 ? 0 : short & 0x7f;
  const length = lengthBytes === 0 ? short : der.readUIntBE(at + 2, lengthBytes);
  const start = at + 2 + lengthBytes;
  return {
    whole: der.subarray(at, start + length),
    content: der.subarray(start, start + length),
    next: start + length,
  };
}

/** The key and the names of a request for a certificate (RFC 2986), whose signature is checked. */
function readRequest(der: Buffer): { publicKey: KeyObject; names: string[] } {
  const body = valueAt(der, 0).content;
  const info = valueAt(body, 0);
  const algorithm = valueAt(body, info.next);
  const signature = valueAt(body, algorithm.next).content.subarray(1);
  const version = valueAt(info.content, 0);
  const subject = valueAt(info.content, version.next);
  const spki = valueAt(info.content, subject.next);
  const publicKey = createPublicKey({ key: spki.whole, format: 'der', type: 'spki' });
  if (!verify('sha256', info.whole, publicKey, signature)) throw malformed('the CSR is not signed by its key');
  const extension = info.content.indexOf(Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x11]));
  const listed = valueAt(valueAt(info.content, extension + 5).content, 0).content;
  const names: string[] = [];
  for (let at = 0; at < listed.length;) {
    const { content, next } = valueAt(listed, at);
    names.push(content.toString('latin1'));
    at = next;
  }
  return { publicKey, names };
}

const thumbprintOf = ({ crv, kty, x, y }: JsonWebKey): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');

/** What the host says at port 80. */
function fetchAnswer(host: string, { port, token }: { port: number; token: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const path = `/.well-known/acme-challenge/${token}`;
    get({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
      let text = `${answer.statusCode === 200 ? '' : `status ${answer.statusCode} `}`;
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

/** State of the authority, and its services. */
function authority(server: Omit<AcmeServer, 'close'>, urlOf: (path: string) => string) {
  const ca = makeCertificate({
    commonName: 'Test CA',
    isAuthority: true,
    validTo: new Date(Date.now() + 3650 * DAY_MS),
  });
  server.ca = ca.cert;
  const nonces = new Set<string>();
  const accounts = new Map<string, JsonWebKey>();
  const orders: Order[] = [];
  let given = 0;

  const newNonce = (): string => {
    const nonce = randomBytes(12).toString('base64url');
    given += 1;
    // One of a few is forgotten, as authorities do.
    if (given % 4 !== 0) nonces.add(nonce);
    return nonce;
  };

  /** Who asks, and what. Throws a problem for a signature, nonce or address that is wrong. */
  const read = (url: string, text: string): { jwk: JsonWebKey; payload: any; isNew: boolean } => {
    const { protected: header, payload, signature } = JSON.parse(text);
    const { alg, nonce, url: named, jwk: ownKey, kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    if (alg !== 'ES256') throw malformed('alg must be ES256');
    if (!nonces.delete(nonce)) throw new Problem({ status: 400, type: 'badNonce', detail: 'the nonce is not known' });
    if (named !== url) throw new Problem({ status: 401, type: 'unauthorized', detail: `url is ${named}, not ${url}` });
    if ((ownKey === undefined) === (kid === undefined)) throw malformed('give either jwk or kid');
    const jwk = ownKey ?? accounts.get(kid);
    if (!jwk) throw new Problem({ status: 400, type: 'accountDoesNotExist', detail: 'there is no such account' });
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const signed = Buffer.from(`${header}.${payload}`);
    if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
      throw malformed('the signature is wrong');
    const isNew = ownKey !== undefined;
    return {
      jwk,
      isNew,
      payload: payload === '' ? undefined : JSON.parse(Buffer.from(payload, 'base64url').toString()),
    };
  };

  const orderView = (order: Order, place: number) => ({
    status: order.status,
    authorizations: [urlOf(`/authz/${place}`)],
    finalize: urlOf(`/finalize/${place}`),
    ...(order.certificate && { certificate: urlOf(`/certificate/${place}`) }),
  });
  const challengeView = (order: Order, place: number) => ({
    type: 'http-01',
    url: urlOf(`/challenge/${place}`),
    token: order.token,
    status: order.authorization,
    ...(order.error && { error: order.error }),
  });

  const check = async (order: Order, jwk: JsonWebKey): Promise<void> => {
    const said = await fetchAnswer(order.host, { port: server.hostsAt.port, token: order.token }).catch(String);
    const isRight = said === `${order.token}.${thumbprintOf(jwk)}`;
    order.authorization = isRight ? 'valid' : 'invalid';
    if (isRight) order.status = 'ready';
    else order.error = { type: 'urn:ietf:params:acme:error:unauthorized', detail: `${order.host} said "${said}"` };
  };

  const finalize = (order: Order, csr: string): void => {
    if (order.status !== 'ready')
      throw new Problem({ status: 403, type: 'orderNotReady', detail: `the order is ${order.status}` });
    const { publicKey, names } = readRequest(Buffer.from(csr, 'base64url'));
    if (names.join() !== order.host)
      throw new Problem({ status: 400, type: 'badCSR', detail: `the CSR names ${names.join()}` });
    const cert = signCertificate(publicKey, {
      commonName: order.host,
      issuer: { commonName: 'Test CA', privateKey: ca.privateKey },
      validTo: server.validTo(),
    });
    server.issued.push(new X509Certificate(cert));
    order.certificate = cert + ca.cert;
    order.status = 'processing';
  };

  const services: Record<string, (asked: { jwk: JsonWebKey; payload: any; isNew: boolean }, place: number) => any> = {
    newAccount({ jwk, payload }) {
      if (payload.termsOfServiceAgreed !== true)
        throw new Problem({ status: 403, type: 'userActionRequired', detail: 'agree to the terms' });
      const location = urlOf(`/account/${thumbprintOf(jwk)}`);
      accounts.set(location, jwk);
      return { status: 201, location, body: { status: 'valid' } };
    },
    newOrder({ payload }) {
      const host: string = payload.identifiers[0].value;
      const token = randomBytes(24).toString('base64url');
      const place = orders.push({ host, token, status: 'pending', authorization: 'pending' }) - 1;
      return { status: 201, location: urlOf(`/order/${place}`), body: orderView(orders[place]!, place) };
    },
    order(_, place) {
      const order = orders[place]!;
      const body = orderView(order, place);
      if (order.status === 'processing') order.status = 'valid';
      return { body };
    },
    authz(_, place) {
      const order = orders[place]!;
      return { body: { status: order.authorization, challenges: [challengeView(order, place)] } };
    },
    challenge({ jwk }, place) {
      const order = orders[place]!;
      void check(order, jwk);
      return { body: challengeView(order, place) };
    },
    finalize({ payload }, place) {
      const order = orders[place]!;
      finalize(order, payload.csr);
      return { body: orderView(order, place) };
    },
    certificate: (_, place) => ({ text: orders[place]!.certificate }),
  };
  return { newNonce, read, services };
}

/** Starts it on loopback, over plain HTTP. */
export async function startAcmeServer(): Promise<AcmeServer> {
  let base = '';
  const urlOf = (path: string): string => base + path;
  const server: Omit<AcmeServer, 'close'> = {
    directoryUrl: '',
    ca: '',
    refusals: new Map(),
    asked: [],
    issued: [],
    hostsAt: { port: 0 },
    validTo: () => new Date(Date.now() + 90 * DAY_MS),
  };
  const { newNonce, read, services } = authority(server, urlOf);

  const answer = (request: IncomingMessage, reply: ServerResponse, text: string): void => {
    const [, name = '', place = ''] = (request.url ?? '').split('/');
    server.asked.push(name);
    reply.setHeader('replay-nonce', newNonce());
    reply.setHeader('retry-after', '0');
    const send = (status: number, body: unknown, type = 'application/json'): void => {
      reply.statusCode = status;
      reply.setHeader('content-type', type).end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    try {
      if (name === 'directory')
        return send(
          200,
          Object.fromEntries(['newNonce', 'newAccount', 'newOrder'].map((one) => [one, urlOf(`/${one}`)])),
        );
      if (name === 'newNonce') return void reply.end();
      const refusal = server.refusals.get(name);
      if (refusal) throw new Problem(refusal);
      if (request.headers['content-type'] !== 'application/jose+json') throw malformed('the media type is wrong');
      const asked = read(urlOf(request.url ?? ''), text);
      if (asked.isNew !== (name === 'newAccount')) throw malformed('jwk is for newAccount alone');
      const { status = 200, location, body, text: pem } = services[name]!(asked, Number(place));
      if (location) reply.setHeader('location', location);
      send(status, pem ?? body, pem ? 'application/pem-certificate-chain' : 'application/json');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { status, type, detail, retryAfter } = error.refusal;
      if (retryAfter) reply.setHeader('retry-after', retryAfter);
      send(status, { type: `urn:ietf:params:acme:error:${type}`, detail, status }, 'application/problem+json');
    }
  };
  const http = createServer((request, reply) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => answer(request, reply, text));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  server.directoryUrl = `${base}/directory`;
  return Object.assign(server, {
    close: () =>
      new Promise<void>((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  });
}
