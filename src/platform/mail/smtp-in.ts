// Mail comes in here. A message is acknowledged only when it is stored, so a crash loses nothing that was accepted.
import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { AppError, messageOf } from '../errors/index.ts';
import type { Log } from '../log/index.ts';
import { collectMessage, Ledger } from './collect-message.ts';
import type { ReceivedFile } from './receive-file.ts';
import { receiveFaster } from './smtp-data.ts';
import { requireLineEnds } from './smtp-lines.ts';

export interface SmtpEnvelope {
  /** Empty for the null sender of a bounce. */
  from: string;
  recipients: string[];
  remoteAddress: string;
  /** What the client called itself. */
  helo: string;
  isEncrypted: boolean;
  /** Null when the connection is not encrypted. */
  tls: { protocol: string; cipher: string } | null;
  /** `SMTP`, `ESMTP` or `ESMTPS`, as a Received field names it (RFC 3848). */
  transmission: string;
  /** Who logged in, at a listener for submission. */
  login?: SmtpLogin;
}

/** Who sends: a login of an account's domain, or of an inbox, which has none. */
export interface SmtpLogin {
  accountId: string;
  domain: string;
  name: string;
  /** The inbox that keeps what is sent, in place of sending it. */
  inboxId?: string;
}

/** A receiver throws or returns it to choose the reply: a greylisting 451, a policy's 550. */
export class SmtpRefusal extends Error {
  readonly responseCode: number;
  /** Somebody asked for it: of a login, it is none that failed. */
  readonly isOnPurpose: boolean;

  /** `text` starts with the enhanced status code, such as `4.7.1 Try again later`. */
  constructor(responseCode: number, text: string, { isOnPurpose = false }: { isOnPurpose?: boolean } = {}) {
    super(text.replace(/[\r\n]+/g, ' ').slice(0, 480));
    this.name = 'SmtpRefusal';
    this.responseCode = responseCode;
    this.isOnPurpose = isOnPurpose;
  }
}

export interface SmtpListenerOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
  sizeBytesMax: number;
  /** Takes larger messages of some logins, which go into files of a folder that is there. */
  large?: {
    dir: string;
    sizeBytesMax: number;
    takes(login: SmtpLogin): boolean;
    /** As `store`; the file is deleted when it has settled. */
    store(file: ReceivedFile, envelope: SmtpEnvelope): Promise<string | void>;
  };
  /** A refusal of a sender is answered as it is. The envelope lacks it, and has no recipients. Default: all are taken. */
  acceptSender?(address: string, envelope: SmtpEnvelope): Promise<SmtpRefusal | undefined>;
  /** Whether a recipient exists; a refusal is answered as it is. The envelope lacks this and later recipients. */
  accept(address: string, envelope: SmtpEnvelope): Promise<boolean | SmtpRefusal>;
  /**
   * Keeps a message for good; 250 follows when it resolves. A rejection with an AppError of a 4xx status tells the
   * sender never to try again and why, one with an SmtpRefusal is answered as it is; any other makes it try later.
   * Resolves with the text of the 250, which starts with its enhanced status code, or with none.
   */
  store(raw: Buffer, envelope: SmtpEnvelope): Promise<string | void>;
  log: Log;
  /** The name in the greeting. Default: the machine's. */
  name?: string;
  /** Offers STARTTLS. */
  tls?: Certificate;
  limits?: Partial<SmtpLimits>;
  /** What makes it a listener for submission; see `createSubmissionListener`. */
  submission?: { server: SMTPServerOptions; onConnection(connection: SMTPConnection): void; onClose(id: string): void };
}

/** PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

export interface SmtpLimits {
  connectionsMax: number;
  connectionsPerAddressMax: number;
  recipientsMax: number;
  /** Bytes of all messages being received, and of those of one account. */
  receivingBytesMax: number;
  receivingBytesPerAccountMax: number;
  /** The same of messages that go into files. */
  fileBytesMax: number;
  fileBytesPerAccountMax: number;
  idleTimeoutMs: number;
  /** How long the content of one message may take to arrive. */
  messageTimeoutMs: number;
  /** How long `close` waits for messages under way. */
  closeTimeoutMs: number;
}

const LIMITS: SmtpLimits = {
  connectionsMax: 200,
  connectionsPerAddressMax: 50,
  recipientsMax: 100,
  receivingBytesMax: 256 * 1024 * 1024,
  receivingBytesPerAccountMax: 64 * 1024 * 1024,
  fileBytesMax: 2048 * 1024 * 1024,
  fileBytesPerAccountMax: 512 * 1024 * 1024,
  idleTimeoutMs: 60_000,
  messageTimeoutMs: 300_000,
  closeTimeoutMs: 10_000,
};

export interface SmtpListener {
  port: number;
  /** From the next handshake on. */
  useCertificate(certificate: Certificate): void;
  /** Takes no more connections, ends idle ones, waits for messages under way. */
  close(): Promise<void>;
}

/** What the connections of one listener share. */
export type SMTPConnection = SMTPServer['connections'] extends Set<infer Connection> ? Connection : never;

interface Receiving {
  server: SMTPServer;
  limits: SmtpLimits;
  options: SmtpListenerOptions;
  memory: Ledger;
  files: Ledger;
  isClosing: boolean;
  /** Sessions whose message is being received or stored. */
  sessions: Set<string>;
  perAddress: Map<string, number>;
}

/** The server of a listener; `receiving` is what its connections share. */
function serverFor(options: SmtpListenerOptions, limits: SmtpLimits, receiving: () => Receiving): SMTPServer {
  const server: SMTPServer = new SMTPServer({
    ...options.tls,
    ...(options.name === undefined ? {} : { name: options.name }),
    banner: 'Galley',
    disabledCommands: options.tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    logger: false,
    size: Math.max(options.sizeBytesMax, options.large?.sizeBytesMax ?? 0),
    rejectOversized: true,
    maxClients: limits.connectionsMax,
    maxRecipients: limits.recipientsMax,
    socketTimeout: limits.idleTimeoutMs,
    closeTimeout: limits.closeTimeoutMs,
    onConnect: (session, done) => {
      const connection = [...server.connections].find((candidate) => candidate.session.id === session.id);
      if (connection) {
        keepOwnCodes(connection);
        receiveFaster(connection);
        requireLineEnds(connection);
        options.submission?.onConnection(connection);
      }
      done(overcrowding(session, receiving()));
    },
    onClose: (session) => {
      leave(session, receiving());
      options.submission?.onClose(session.id);
    },
    onMailFrom: (sender, session, done) => void checkSender(sender, session, options).then(done),
    onRcptTo: ({ address }, session, done) => void checkRecipient(address, session, options).then(done),
    onData: (stream, session, done) =>
      void receive(stream, session, receiving())
        .then((text) => done(null, text ?? undefined), done)
        .then(() => leaveIfClosing(session, receiving())),
    ...options.submission?.server,
  });
  return server;
}

/** Starts listening (RFC 5321; nobody logs in, nothing is relayed). Rejects when the port cannot be had. */
export async function createSmtpListener(options: SmtpListenerOptions): Promise<SmtpListener> {
  const limits = { ...LIMITS, ...options.limits };
  const server = serverFor(options, limits, () => receiving);
  const receiving: Receiving = {
    server,
    limits,
    options,
    memory: new Ledger(limits.receivingBytesMax, limits.receivingBytesPerAccountMax),
    files: new Ledger(limits.fileBytesMax, limits.fileBytesPerAccountMax),
    isClosing: false,
    sessions: new Set(),
    perAddress: new Map(),
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A broken connection is the client's problem; the listener goes on.
  server.on('error', (error: Error) => options.log.debug({ cause: error.message }, 'an SMTP connection broke'));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    useCertificate: (certificate) => server.updateSecureContext({ ...certificate }),
    close: () => closeListener(receiving),
  };
}

function reply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/**
 * The library puts an enhanced status code of its own choice before every text, also before one that brings its own.
 */
function keepOwnCodes(connection: SMTPConnection): void {
  const send = connection.send.bind(connection) as (code: number, data?: unknown, context?: unknown) => void;
  connection.send = (code: number, data?: unknown, context?: unknown) =>
    send(code, data, typeof data === 'string' && OWN_CODE.test(data) ? false : context);
}

const OWN_CODE = /^[245]\.\d{1,3}\.\d{1,3} /;

function overcrowding(session: SMTPServerSession, { perAddress, limits }: Receiving): Error | null {
  const count = (perAddress.get(session.remoteAddress) ?? 0) + 1;
  perAddress.set(session.remoteAddress, count);
  return count > limits.connectionsPerAddressMax ? reply(421, 'Too many connections from your address') : null;
}

function leave(session: SMTPServerSession, { perAddress }: Receiving): void {
  const count = (perAddress.get(session.remoteAddress) ?? 0) - 1;
  if (count > 0) perAddress.set(session.remoteAddress, count);
  else perAddress.delete(session.remoteAddress);
}

async function checkSender(
  { address, args }: { address: string; args: unknown },
  session: SMTPServerSession,
  options: SmtpListenerOptions,
): Promise<Error | null> {
  const bytesMax = bytesMaxFor(session, options);
  if (Number(((args as { SIZE?: string } | false | undefined) || {}).SIZE ?? 0) > bytesMax) return tooLarge(bytesMax);
  try {
    return (await options.acceptSender?.(address, envelopeOf(session))) ?? null;
  } catch (error) {
    options.log.error({ err: error }, 'a sender could not be looked up');
    return reply(451, 'The sender could not be looked up; try again later');
  }
}

async function checkRecipient(
  address: string,
  session: SMTPServerSession,
  { accept, log }: SmtpListenerOptions,
): Promise<Error | null> {
  try {
    const answer = await accept(address, envelopeOf(session));
    if (answer instanceof SmtpRefusal) return answer;
    return answer ? null : reply(550, 'No such mailbox here');
  } catch (error) {
    log.error({ err: error }, 'a recipient could not be looked up');
    return reply(451, 'The mailbox could not be looked up; try again later');
  }
}

/** What one message of this connection may have. */
function bytesMaxFor(session: SMTPServerSession, { sizeBytesMax, large }: SmtpListenerOptions): number {
  const login = loginOf(session);
  return large && login && large.takes(login) ? large.sizeBytesMax : sizeBytesMax;
}

const tooLarge = (bytes: number): Error => reply(552, `5.3.4 A message may have ${bytes} bytes here`);

async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  receiving: Receiving,
): Promise<string | void> {
  const { options, limits, sessions } = receiving;
  const { large, sizeBytesMax } = options;
  sessions.add(session.id);
  const account = loginOf(session)?.accountId;
  const [memory, files] = [receiving.memory.share(account), receiving.files.share(account)];
  const bytesMax = bytesMaxFor(session, options);
  const file = large && bytesMax > sizeBytesMax ? { dir: large.dir, bytesMax, share: files } : undefined;
  try {
    const collected = await collectMessage(stream, {
      bytesMax: sizeBytesMax,
      memory,
      file,
      timeoutMs: limits.messageTimeoutMs,
      onTimeout: () => closeSession(receiving.server, session.id),
    });
    // The server itself answers 552 for what is too large for everybody.
    if (stream.sizeExceeded) return;
    if ('refused' in collected)
      throw collected.refused === 'too_large'
        ? tooLarge(bytesMax)
        : reply(452, 'Too many messages at once; try again later');
    if ('raw' in collected) return await options.store(collected.raw, envelopeOf(session));
    try {
      return await large!.store(collected.file, envelopeOf(session));
    } finally {
      await rm(collected.file.path, { force: true });
    }
  } catch (error) {
    throw refusal(error, options.log);
  } finally {
    memory.release();
    files.release();
    sessions.delete(session.id);
  }
}

function refusal(error: unknown, log: Log): Error {
  if (error instanceof Error && 'responseCode' in error) return error;
  if (error instanceof AppError && error.status < 500 && error.code !== 'too_many_requests') {
    return reply(554, `The message cannot be used: ${error.message.replace(/\s+/g, ' ').slice(0, 400)}`);
  }
  if ((error as NodeJS.ErrnoException).code === 'ECONNECTION')
    log.debug({ cause: messageOf(error) }, 'a sender left before its message ended');
  else log.error({ err: error }, 'a message could not be stored');
  return reply(451, 'The message could not be stored; try again later');
}

/** Who logged in; `createSubmissionListener` says so. */
function loginOf({ user }: SMTPServerSession): SmtpLogin | undefined {
  return (user || undefined) as SmtpLogin | undefined;
}

function envelopeOf(session: SMTPServerSession): SmtpEnvelope {
  const { mailFrom, rcptTo } = session.envelope;
  const login = loginOf(session);
  return {
    from: mailFrom ? mailFrom.address : '',
    recipients: rcptTo.map(({ address }) => address),
    remoteAddress: session.remoteAddress,
    helo: session.hostNameAppearsAs || '',
    isEncrypted: session.secure,
    tls: tlsOf(session),
    transmission: session.transmissionType,
    ...(login && { login }),
  };
}

function tlsOf({ tlsOptions }: SMTPServerSession): SmtpEnvelope['tls'] {
  const { version, name } = (tlsOptions || {}) as { version?: string; name?: string };
  // The library gives the cipher's oldest protocol beside its name; for TLS 1.3 the name itself tells.
  return name === undefined ? null : { protocol: name.startsWith('TLS_') ? 'TLSv1.3' : (version ?? ''), cipher: name };
}

function closeSession(server: SMTPServer, id: string): void {
  for (const connection of server.connections) if (connection.session.id === id) connection.close();
}

function leaveIfClosing(session: SMTPServerSession, { server, isClosing }: Receiving): void {
  if (isClosing) closeSession(server, session.id);
}

function closeListener(receiving: Receiving): Promise<void> {
  const { server, sessions } = receiving;
  receiving.isClosing = true;
  return new Promise((resolve) => {
    server.close(resolve);
    for (const connection of server.connections) {
      if (sessions.has(connection.session.id)) continue;
      connection.send(421, 'Closing down');
      connection.close();
    }
  });
}
