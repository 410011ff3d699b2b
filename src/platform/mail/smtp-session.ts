// One connection to one server, made of promises, with everything the server said.
import net from 'node:net';
import { TLSSocket } from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { messageOf } from '../errors/index.ts';
import type { SmtpReply, Spoken, TlsFacts } from './delivery.ts';
import {
  converse,
  offeredIn,
  replyOf,
  type Asked,
  type Mail,
  type NextRecipient,
  type Transaction,
} from './transaction.ts';

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

interface Said {
  replies: SmtpReply[];
  spoken: Spoken[];
}

interface Link {
  connectMs: number;
  localAddress: string | undefined;
}

interface Failure {
  said: Said;
  cause?: unknown;
  link?: Link;
}

export class SmtpSessionError extends Error {
  /** `tls`: encryption failed. `refused`: the server answered with an error before a message was begun. */
  readonly kind: 'connect' | 'tls' | 'refused' | 'broken';
  readonly replies: SmtpReply[];
  readonly spoken: Spoken[];
  /** How long the connection took; undefined: there was none. */
  readonly connectMs: number | undefined;
  readonly localAddress: string | undefined;

  constructor(kind: SmtpSessionError['kind'], message: string, { said, cause, link }: Failure) {
    super(message, { cause });
    this.name = 'SmtpSessionError';
    this.kind = kind;
    this.replies = said.replies;
    this.spoken = said.spoken;
    this.connectMs = link?.connectMs;
    this.localAddress = link?.localAddress;
  }
}

export interface SmtpSession {
  readonly tls: TlsFacts | null;
  /** Greeting, EHLO, STARTTLS and AUTH with their answers. */
  readonly opening: SmtpReply[];
  /** The same with when it was said. */
  readonly openingSpoken: Spoken[];
  /** How long it took until the connection stood. */
  readonly connectMs: number;
  readonly isOpen: boolean;
  /** Of this machine. */
  readonly localAddress: string | undefined;
  /** Addresses outside ASCII may be used (RFC 6531). */
  readonly takesUtf8: boolean;
  send(mail: Mail): Promise<Transaction>;
  /** Asks which recipients it would take, without a message. */
  ask(next: NextRecipient): Promise<Asked>;
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
  const began = performance.now();
  const socket = await connect(target, options, transcript);
  const link: Link = { connectMs: performance.now() - began, localAddress: socket.localAddress };
  transcript.begin();
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
    throw openingError(error as SMTPConnection.SMTPError, transcript.take(), link);
  } finally {
    clearTimeout(timer);
  }
  const { replies: opening, spoken: openingSpoken } = transcript.take();
  const offered = offeredIn(opening.findLast(({ command }) => command.startsWith('EHLO'))?.text ?? '');
  const conversation = converse(takeOver(connection), { offered, replyTimeoutMs: options.replyTimeoutMs });
  return {
    tls: tlsFactsOf(connection),
    ...link,
    opening,
    openingSpoken,
    takesUtf8: offered.utf8,
    get isOpen() {
      return conversation.isOpen;
    },
    send: conversation.send,
    ask: conversation.ask,
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
      said: transcript.take(),
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

function openingError(error: SMTPConnection.SMTPError, said: Said, link: Link): SmtpSessionError {
  const last = said.replies.at(-1);
  const context = { said, cause: error, link };
  if (last && last.code >= 400)
    return new SmtpSessionError('refused', `the server said ${last.code} ${last.text}`, context);
  const isHandshake =
    error.code === 'ETLS' || (HANDSHAKE_FAULTS.includes(error.code ?? '') && last?.command === 'STARTTLS');
  return new SmtpSessionError(isHandshake ? 'tls' : 'broken', error.message, context);
}

function tlsFactsOf(connection: SMTPConnection): TlsFacts | null {
  const socket = connection._socket;
  if (!(socket instanceof TLSSocket)) return null;
  return { protocol: socket.getProtocol() ?? '', cipher: socket.getCipher().name, isVerified: socket.authorized };
}

/** Pairs what was said with what was answered; commands may be sent ahead of their answers (RFC 2920). */
class Transcript {
  #replies: SmtpReply[] = [];
  #spoken: Spoken[] = [];
  /** The greeting answers nothing. */
  #unanswered: { command: string; saidMs: number }[] = [];
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
        if (tnx === 'client') this.#unanswered.push({ command: text, saidMs: performance.now() });
        else if (tnx === 'server') this.#hear(text);
      },
    };
  }

  /** The connection stands: the server greets. */
  begin(): void {
    this.#unanswered.push({ command: '', saidMs: performance.now() });
  }

  #hear(text: string): void {
    const heardMs = performance.now();
    const { command, saidMs } = this.#unanswered.shift() ?? { command: '', saidMs: heardMs };
    if (this.#replies.length >= REPLIES_MAX) return;
    const reply = replyOf(text, command);
    this.#replies.push(reply);
    this.#spoken.push({ command, saidMs, reply, heardMs });
  }

  /** What was answered, and what was not. */
  take(): Said {
    return { replies: this.#replies.splice(0), spoken: [...this.#spoken.splice(0), ...this.#unanswered] };
  }
}
