import http from 'node:http';
import https from 'node:https';
import { headerText } from './envelope-text.ts';
import { asOutcome, connectionFailure, FilterFailure, LIMITS, TITLES, type FilterLimits } from './failure.ts';
import { readRspamdAnswer } from './rspamd-answer.ts';
import type { FilterEnvelope, FilterOutcome, SpamFilter } from './types.ts';

interface RspamdOptions {
  /** Of the normal worker: `http://127.0.0.1:11333`. */
  url: string;
  /** For workers that ask for one. */
  password?: string;
  limits?: Partial<FilterLimits>;
}

/** Rspamd, asked by HTTP (`POST /checkv2`); the envelope goes in request headers, which is what Rspamd judges by. */
export function createRspamd({ url, password, limits }: RspamdOptions): SpamFilter {
  const bounds = { ...LIMITS, ...limits };
  const target = new URL('/checkv2', url);
  const check = async (
    raw: Buffer,
    envelope: FilterEnvelope,
    signal: AbortSignal,
  ): Promise<Extract<FilterOutcome, { ok: true }>> => {
    if (raw.length > bounds.messageBytesMax)
      throw new FilterFailure(
        'too_large',
        `The message is larger than the ${bounds.messageBytesMax} bytes that Rspamd is asked about.`,
      );
    const started = performance.now();
    const { body, server } = await post(target, {
      raw,
      headers: { ...envelopeHeaders(envelope), ...(password && { Password: password }) },
      signal,
      bounds,
    });
    const report = readRspamdAnswer(body, bounds.rulesMax);
    return {
      ok: true,
      engine: 'rspamd',
      ...report,
      version: /^rspamd\/(\S+)/i.exec(server)?.[1] ?? null,
      tookMs: performance.now() - started,
    };
  };
  return {
    name: 'rspamd',
    address: target.origin,
    check: (raw, envelope, signal) =>
      asOutcome('rspamd', { timeoutMs: bounds.timeoutMs, signal }, (stop) => check(raw, envelope, stop)),
  };
}

/** Header names of Rspamd's protocol. An absent Hostname means: no reverse DNS. */
function envelopeHeaders(envelope: FilterEnvelope): http.OutgoingHttpHeaders {
  const headers: http.OutgoingHttpHeaders = {
    From: headerText(envelope.mailFrom),
    Rcpt: envelope.rcptTo.slice(0, 100).map(headerText).filter(Boolean),
    IP: headerText(envelope.ip),
    Helo: headerText(envelope.helo),
    Hostname: headerText(envelope.reverseDns ?? ''),
    'MTA-Name': headerText(envelope.receivedBy ?? ''),
    'TLS-Cipher': envelope.isEncrypted === false ? '' : 'TLS_AES_256_GCM_SHA384',
    'TLS-Version': envelope.isEncrypted === false ? '' : 'TLSv1.3',
    // Every question is a test: nothing may be learned from it.
    'Log-Tag': 'galley',
  };
  return Object.fromEntries(
    Object.entries(headers).filter(([, value]) => value !== '' && (value as string[]).length > 0),
  );
}

interface Question {
  raw: Buffer;
  headers: http.OutgoingHttpHeaders;
  signal: AbortSignal;
  bounds: FilterLimits;
}

async function post(
  target: URL,
  { raw, headers, signal, bounds }: Question,
): Promise<{ body: Buffer; server: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ body: Buffer; server: string }>();
  const { request } = target.protocol === 'https:' ? https : http;
  const outgoing = request(target, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'Content-Type': 'message/rfc822', 'Content-Length': raw.length },
  });
  const unreachable = () =>
    outgoing.destroy(new FilterFailure('unreachable', `${TITLES.rspamd} at ${target.origin} cannot be reached.`));
  const connectTimer = setTimeout(unreachable, bounds.connectTimeoutMs);
  const onAbort = () => outgoing.destroy(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  let isConnected = false;
  outgoing.on('socket', (socket) =>
    socket.once('connect', () => {
      clearTimeout(connectTimer);
      isConnected = true;
    }),
  );
  outgoing.on('response', (response) => {
    collect(response, bounds.answerBytesMax).then((body) => {
      const code = response.statusCode ?? 0;
      if (code === 200) resolve({ body, server: String(response.headers.server ?? '') });
      else reject(new FilterFailure(code >= 400 ? 'refused' : 'broken', `Rspamd answered with status ${code}.`));
    }, reject);
  });
  outgoing.on('error', (error) => {
    const isProtocol = isConnected && !(error instanceof FilterFailure);
    reject(
      isProtocol
        ? new FilterFailure('broken', 'Rspamd gave no HTTP answer.', error)
        : connectionFailure('rspamd', target.origin, error),
    );
  });
  outgoing.on('close', () => reject(new FilterFailure('broken', 'Rspamd closed the connection without an answer.')));
  outgoing.end(raw);
  try {
    return await promise;
  } finally {
    clearTimeout(connectTimer);
    signal.removeEventListener('abort', onAbort);
    outgoing.destroy();
  }
}

async function collect(response: http.IncomingMessage, sizeBytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > sizeBytesMax)
        throw new FilterFailure('too_large', `Rspamd's answer is larger than ${sizeBytesMax} bytes.`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof FilterFailure
      ? error
      : new FilterFailure('broken', 'The connection to Rspamd broke within its answer.', error);
  }
  return Buffer.concat(chunks);
}
