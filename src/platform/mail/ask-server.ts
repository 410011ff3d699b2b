// Asks the server of a domain whether it would take mail for a mailbox, without sending any: the null sender, RCPT, QUIT.
import { messageOf } from '../errors/index.ts';
import type { Destination } from './destinations.ts';
import { findAddresses, type FoundServers } from './find-servers.ts';
import { openSmtpSession, SmtpSessionError, type SessionOptions, type SessionTarget } from './smtp-session.ts';
import type { Asked, NextRecipient } from './transaction.ts';
import type { Trying } from './try-servers.ts';

/** What a server said of mailboxes. */
export interface AskedServer extends Asked {
  /** Which one; null: none could be asked. */
  host: string | null;
}

export interface Question {
  /** The part of an address after its @. */
  domain: string;
  next: NextRecipient;
  /** Without an answer until then, there is none. */
  signal: AbortSignal;
}

/** Nobody waits so long for an answer about a mailbox as for that to a message. */
const TIMES_MAX = { connectTimeoutMs: 8000, greetingTimeoutMs: 15_000, replyTimeoutMs: 10_000 };
const SERVERS_MAX = 2;
const ADDRESSES_MAX = 2;

/** No longer than these, whatever mail may take. */
export const patienceOf = (options: SessionOptions): SessionOptions => ({
  ...options,
  connectTimeoutMs: Math.min(options.connectTimeoutMs, TIMES_MAX.connectTimeoutMs),
  greetingTimeoutMs: Math.min(options.greetingTimeoutMs, TIMES_MAX.greetingTimeoutMs),
  replyTimeoutMs: Math.min(options.replyTimeoutMs, TIMES_MAX.replyTimeoutMs),
});

interface Asking extends Pick<Trying, 'pool' | 'dns' | 'mayConnect'> {
  options: SessionOptions;
  port: number;
}

const nobody = (problem: string): AskedServer => ({ host: null, replies: [], problem });

/** The first server that lets itself be asked; each host is asked over one connection at a time. */
export async function askServers(
  question: Question,
  asking: Asking,
  { found, destination }: { found: FoundServers & { ok: true }; destination: Destination },
): Promise<AskedServer> {
  const { pool, dns, mayConnect, port } = asking;
  const tls = destination.isTlsRequired ? 'required' : 'opportunistic';
  let last = nobody('there is no server to ask');
  for (const host of found.servers.slice(0, SERVERS_MAX)) {
    const { addresses } = await findAddresses(host, dns);
    const open = addresses.filter((address) => mayConnect({ host, port, address }));
    if (open.length === 0)
      last = nobody(
        addresses.length === 0 ? `${host} has no address that was found` : `${host} is not at a public address`,
      );
    for (const address of open.slice(0, ADDRESSES_MAX)) {
      const target: SessionTarget = { host, address, port, tls };
      const room = { key: `asked ${host}`, connections: 1, messagesPerConnection: 1 };
      const answer = await pool.withRoom(room, () => askOne(question, target, asking.options));
      if ('host' in answer) return answer;
      last = nobody(answer.problem);
      if (question.signal.aborted) return last;
    }
  }
  return last;
}

/** A server that answers nothing before a recipient is named leaves the question to the next one. */
async function askOne(
  { next, signal }: Question,
  target: SessionTarget,
  options: SessionOptions,
): Promise<AskedServer | { problem: string }> {
  if (signal.aborted) return { problem: `${target.host} was not asked in time` };
  try {
    const session = await openSmtpSession(target, options);
    const cut = (): void => session.destroy();
    signal.addEventListener('abort', cut);
    if (signal.aborted) cut();
    try {
      return { host: target.host, ...(await session.ask(next)) };
    } finally {
      signal.removeEventListener('abort', cut);
      await session.end();
    }
  } catch (error) {
    // Encryption that is only an offer, and fails, is done without (RFC 7435).
    if (error instanceof SmtpSessionError && error.kind === 'tls' && target.tls === 'opportunistic')
      return askOne({ domain: '', next, signal }, { ...target, tls: 'none' }, options);
    return { problem: messageOf(error) };
  }
}
