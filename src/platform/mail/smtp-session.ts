// One connection to one server, made of promises, with everything the server said.
import net from 'node:net';
import { TLSSocket } from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { messageOf } from '../errors/index.ts';
import type { SmtpReply, TlsFacts } from './delivery.ts';
import { converse, offeredIn, replyOf, type Mail, type Transaction } from './transaction.ts';

/**
 * `none`: never. `opportunistic`: when offered, whatever the certificate. `required`: encrypted, whatever the
 * certificate. `verified`: encrypted, to a trusted certificate of that name. `implicit`: verified, from the first byte.
 */
export type TlsPolicy = 'none' | 'opportunistic' | 'required' | 'verified' | 'implicit';

/** An address of this machine that connections leave from. */
export interface Source {
  ip: string;
  /** What it greets with. */
  hostName: string;
}

export interface SessionTarget {
  host: string;
  /** The address to connect to, already checked; the session uses no other. */
  address: string;
  port: number;
  tls: TlsPolicy;
  login?: { user: string; password: string };
  /** Default: the system chooses the address, and the name is the mailer's. */
  from?: Source;
}

export interface SessionLimits {
  connectTimeoutMs: number;
  greetingTimeoutMs: number;
  /** Silence of the server. */
  replyTimeoutMs: number;
}

export interface SessionOptions extends SessionLimits {
  helo: string;
  /** Certificates trusted besides the built-in ones, PEM. */
  ca?: string;
}

export class SmtpSessionError extends Error {
  /** `tls`: encryption failed. `refused`: the server answered with an error before a message was begun. */
  readonly kind: 'connect' | 'tls' | 'refused' | 'broken';
  readonly replies: SmtpReply[];

  constructor(kind: SmtpSessionError['kind'], message: string, context: { replies: SmtpReply[]; cause?: unknown }) {
    super(message, { cause: context.cause });
    this.name = 'SmtpSessionError';
    this.kind = kind;
    this.replies = context.replies;
  }
}

export interface SmtpSession {
  readonly tls: TlsFacts | null;
  /** Greeting, EHLO, STARTTLS and AUTH with their answers. */
  readonly opening: SmtpReply[];
  readonly isOpen: boolean;
  /** Of this machine. */
  readonly localAddress: string | undefined;
  /** Addresses outside ASCII may be used (RFC 6531). */
  readonly takesUtf8: boolean;
  send(mail: Mail): Promise<Transaction>;
  /** QUIT, politely; resolves when the connection is closed. */
  end(): Promise<void>;
  /** Cuts the connection. */
  destroy(): void;
}

const REPLIES_MAX = 60;
/** The time of so many is for the whole of them: EHLO, STARTTLS, EHLO. */
const OPENING_REPLIES = 2;
const HANDSHAKE_FAULTS = ['ETLS', 'ESOCKET'];

/** Connects, greets, encrypts and logs in. Rejects with {@link SmtpSessionError}. */
export async function openSmtpSession(target: SessionTarget, options: SessionOptions): Promise<SmtpSession> {
  const transcript = new Transcript();
  const socket = await connect(target, options, transcript);
  const connection = new SMTPConnection(connectionOptions({ target, options, socket, transcript }));
  const opened = Promise.withResolvers<void>();
  connection.once('error', (error) => opened.reject(error));
  connection.once('end', () => opened.reject(new Error('the server closed the connection')));
  connection.connect((error) => (error ? opened.reject(error) : opened.resolve()));
  // A server that says a little now and then is never silent.
  const openingMs = options.greetingTimeoutMs + OPENING_REPLIES * options.replyTimeoutMs;
  const timer = setTimeout(
    () => opened.reject(new Error(`the server’s answers did not end within ${openingMs} ms`)),
    openingMs,
  );
  try {
    await opened.promise;
    if (target.login) await login(connection, target.login);
  } catch (error) {
    connection.close();
    throw openingError(error as SMTPConnection.SMTPError, transcript.take());
  } finally {
    clearTimeout(timer);
  }
  const opening = transcript.take();
  const offered = offeredIn(opening.findLast(({ command }) => command.startsWith('EHLO'))?.text ?? '');
  const conversation = converse(takeOver(connection), { offered, replyTimeoutMs: options.replyTimeoutMs });
  return {
    tls: tlsFactsOf(connection),
    localAddress: socket.localAddress,
    opening,
    takesUtf8: offered.utf8,
    get isOpen() {
      return conversation.isOpen;
    },
    send: conversation.send,
    end: conversation.close,
    destroy: conversation.destroy,
  };
}

/** The socket without the library's ears: what is said from now on is ours. */
function takeOver(connection: SMTPConnection): net.Socket {
  const socket = connection._socket as net.Socket;
  const library = connection as unknown as Record<string, (...given: unknown[]) => void>;
  const events = { data: '_onSocketData', timeout: '_onSocketTimeout', close: '_onSocketClose', end: '_onSocketEnd' };
  for (const [event, listener] of Object.entries({ ...events, error: '_onSocketError' }))
    socket.off(event, library[listener] as (...given: unknown[]) => void);
  socket.setTimeout(0);
  return socket;
}

/** Opens the socket itself, so that the address is the checked one and small commands leave at once. */
async function connect(target: SessionTarget, options: SessionOptions, transcript: Transcript): Promise<net.Socket> {
  const { address, port, from } = target;
  const socket = net.connect({ host: address, port, noDelay: true, ...(from && { localAddress: from.ip }) });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new Error(`no connection within ${options.connectTimeoutMs} ms`)),
    options.connectTimeoutMs,
  );
  socket.once('error', reject);
  socket.once('connect', resolve);
  try {
    await promise;
    return socket;
  } catch (cause) {
    socket.destroy();
    throw new SmtpSessionError('connect', `no connection to ${target.host} [${address}]:${port}: ${messageOf(cause)}`, {
      replies: transcript.take(),
      cause,
    });
  } finally {
    clearTimeout(timer);
    socket.off('error', reject);
  }
}

function connectionOptions(parts: {
  target: SessionTarget;
  options: SessionOptions;
  socket: net.Socket;
  transcript: Transcript;
}): SMTPConnection.Options {
  const { target, options, socket, transcript } = parts;
  const isVerified = target.tls === 'verified' || target.tls === 'implicit';
  return {
    host: target.host,
    port: target.port,
    connection: socket,
    secure: target.tls === 'implicit',
    ignoreTLS: target.tls === 'none',
    requireTLS: target.tls === 'required' || target.tls === 'verified',
    opportunisticTLS: target.tls === 'opportunistic',
    name: target.from?.hostName ?? options.helo,
    connectionTimeout: options.connectTimeoutMs + options.greetingTimeoutMs,
    greetingTimeout: options.greetingTimeoutMs,
    socketTimeout: options.replyTimeoutMs,
    transactionLog: true,
    logger: transcript.logger as unknown as boolean,
    tls: {
      rejectUnauthorized: isVerified,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      ...(net.isIP(target.host) ? {} : { servername: target.host }),
    },
  };
}

function login(connection: SMTPConnection, { user, password }: { user: string; password: string }): Promise<void> {
  return new Promise((resolve, reject) =>
    connection.login({ user, pass: password }, (error) => (error ? reject(error) : resolve())),
  );
}

function openingError(error: SMTPConnection.SMTPError, replies: SmtpReply[]): SmtpSessionError {
  const last = replies.at(-1);
  if (last && last.code >= 400)
    return new SmtpSessionError('refused', `the server said ${last.code} ${last.text}`, { replies, cause: error });
  const isHandshake =
    error.code === 'ETLS' || (HANDSHAKE_FAULTS.includes(error.code ?? '') && last?.command === 'STARTTLS');
  return new SmtpSessionError(isHandshake ? 'tls' : 'broken', error.message, { replies, cause: error });
}

function tlsFactsOf(connection: SMTPConnection): TlsFacts | null {
  const socket = connection._socket;
  if (!(socket instanceof TLSSocket)) return null;
  return { protocol: socket.getProtocol() ?? '', cipher: socket.getCipher().name, isVerified: socket.authorized };
}

/** Pairs what was said with what was answered; commands may be sent ahead of their answers (RFC 2920). */
class Transcript {
  #replies: SmtpReply[] = [];
  /** The greeting answers nothing. */
  #unanswered: string[] = [''];
  readonly logger: Record<string, (entry: unknown, text?: string) => void>;

  constructor() {
    const ignore = (): void => undefined;
    this.logger = {
      trace: ignore,
      info: ignore,
      warn: ignore,
      error: ignore,
      fatal: ignore,
      debug: (entry, text = '') => {
        const { tnx } = entry as { tnx?: string };
        if (tnx === 'client') this.#unanswered.push(text);
        else if (tnx === 'server') this.#hear(text);
      },
    };
  }

  #hear(text: string): void {
    const command = this.#unanswered.shift() ?? '';
    if (this.#replies.length < REPLIES_MAX) this.#replies.push(replyOf(text, command));
  }

  take(): SmtpReply[] {
    return this.#replies.splice(0);
  }
}
