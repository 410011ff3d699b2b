import net from 'node:net';
import { messageOf } from '../errors/index.ts';
import { traceFields } from './envelope-text.ts';
import { asOutcome, connectionFailure, FilterFailure, LIMITS, TITLES, type FilterLimits } from './failure.ts';
import { readSpamdReport, splitSpamdAnswer } from './spamd-answer.ts';
import type { FilterEnvelope, FilterOutcome, SpamFilter } from './types.ts';

interface SpamdOptions {
  host: string;
  port: number;
  limits?: Partial<FilterLimits>;
  /** The time of arrival when the envelope has none. */
  now?: () => Date;
}

/** Something small to ask the version with. */
const PROBE = Buffer.from('From: probe@example.com\r\nSubject: probe\r\n\r\n.\r\n');

/**
 * SpamAssassin, asked by the spamd protocol (SPAMC/1.5). The envelope stands in front of the message as the receiving
 * server would have written it, so that the border of the trusted network is where the simulated connection came from.
 * With a private address as `ip` SpamAssassin takes the message for its own site's.
 */
export function createSpamd({ host, port, limits, now = () => new Date() }: SpamdOptions): SpamFilter {
  const bounds = { ...LIMITS, ...limits };
  const address = `${host}:${port}`;
  let version: Promise<string | null> | undefined;
  const ask = (command: string, message: Buffer, signal: AbortSignal) =>
    exchange({ host, port, signal, bounds }, command, message);
  const readVersion = async (signal: AbortSignal): Promise<string | null> => {
    try {
      const { body } = splitSpamdAnswer(await ask('HEADERS', PROBE, signal));
      return /^X-Spam-Checker-Version:\s*SpamAssassin\s+(\S+)/im.exec(body.toString('latin1'))?.[1] ?? null;
    } catch (error) {
      // The verdict is of use without a version; the next question asks again.
      version = undefined;
      if (error instanceof FilterFailure) return null;
      throw error;
    }
  };
  const check = async (
    raw: Buffer,
    envelope: FilterEnvelope,
    signal: AbortSignal,
  ): Promise<Extract<FilterOutcome, { ok: true }>> => {
    const trace = Buffer.from(traceFields(envelope, now()), 'latin1');
    if (raw.length > bounds.messageBytesMax)
      throw new FilterFailure(
        'too_large',
        `The message is larger than the ${bounds.messageBytesMax} bytes that SpamAssassin is asked about.`,
      );
    const started = performance.now();
    version ??= readVersion(signal);
    const [bytes, known] = await Promise.all([ask('REPORT', Buffer.concat([trace, raw]), signal), version]);
    const answer = readSpamdReport(bytes);
    const rules = answer.rules.sort((a, b) => b.points - a.points).slice(0, bounds.rulesMax);
    const { score, threshold, isSpam } = answer;
    return {
      ok: true,
      engine: 'spamassassin',
      score,
      threshold,
      verdict: isSpam ? 'spam' : 'nothing_found',
      action: null,
      rules,
      version: known,
      tookMs: performance.now() - started,
    };
  };
  return {
    name: 'spamassassin',
    address,
    check: (raw, envelope, signal) =>
      asOutcome('spamassassin', { timeoutMs: bounds.timeoutMs, signal }, (stop) => check(raw, envelope, stop)),
  };
}

interface Exchange {
  host: string;
  port: number;
  signal: AbortSignal;
  bounds: FilterLimits;
}

/** One command, one connection. */
async function exchange({ host, port, signal, bounds }: Exchange, command: string, message: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  // Half open: the end of the message is said by ending our side.
  const socket = net.connect({ host, port, allowHalfOpen: true, noDelay: true });
  const address = `${host}:${port}`;
  const connectTimer = setTimeout(
    () => socket.destroy(new FilterFailure('unreachable', `${TITLES.spamassassin} at ${address} cannot be reached.`)),
    bounds.connectTimeoutMs,
  );
  const onAbort = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  socket.on('connect', () => {
    clearTimeout(connectTimer);
    socket.write(`${command} SPAMC/1.5\r\nContent-length: ${message.length}\r\n\r\n`);
    socket.end(message);
  });
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > bounds.answerBytesMax)
      socket.destroy(
        new FilterFailure('too_large', `SpamAssassin's answer is larger than ${bounds.answerBytesMax} bytes.`),
      );
  });
  socket.on('end', () => resolve(Buffer.concat(chunks)));
  socket.on('error', (error) => {
    // A refusal may close the connection while the message is still being written: the answer counts.
    if (sizeBytes > 0 && !(error instanceof FilterFailure)) resolve(Buffer.concat(chunks));
    else reject(connectionFailure('spamassassin', address, error));
  });
  socket.on('close', () => {
    clearTimeout(connectTimer);
    signal.removeEventListener('abort', onAbort);
    reject(new FilterFailure('broken', 'SpamAssassin closed the connection without an answer.'));
  });
  try {
    return await promise;
  } catch (error) {
    throw error instanceof FilterFailure ? error : new FilterFailure('broken', messageOf(error), error);
  } finally {
    socket.destroy();
  }
}
