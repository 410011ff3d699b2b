// One message over a connection that is open and greeted (RFC 5321 §3.3), pipelined where the server takes that
// (RFC 2920).
import { isAscii } from 'node:buffer';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { messageOf } from '../errors/index.ts';
import type { SmtpReply, Spoken } from './delivery.ts';
import { readReplies, type ReplyReader } from './reply-reader.ts';
import { END, wireData } from './wire-data.ts';

/** What the server offered after EHLO. */
interface Offered {
  pipelining: boolean;
  eightBit: boolean;
  utf8: boolean;
  /** Bytes; undefined: no limit is known. */
  size: { max: number | undefined } | undefined;
}

export interface Mail {
  from: string;
  to: string;
  raw: Buffer;
  /** Whole lines that go before it. */
  above?: Buffer;
  /** All lines of the message end with CRLF, and none begins with a dot: nobody has to look. */
  isWire?: boolean;
  /** Called right before the bytes leave with which the server may take the message. */
  beforeEnd?: (() => void) | undefined;
}

export interface Transaction {
  /** Replies of this message only. */
  replies: SmtpReply[];
  /** The same with what was said, and when; what got no answer stands last. */
  spoken: Spoken[];
  isAccepted: boolean;
  /** The reply that decided; undefined when the connection broke or the message was too large to begin. */
  decisive: SmtpReply | undefined;
  /** The whole message was sent and no answer came. */
  isUncertain: boolean;
  isTooLarge: boolean;
  problem: string;
}

const REPLY_LENGTH_MAX = 2000;
/** Shares of the time for a reply, as RFC 5321 §4.5.3.2 has them: 5 minutes, 2, 3 and 10. */
const PATIENCE = { reply: 1, data: 0.4, block: 0.6, end: 2 };

/** Reads what was offered from the answer to EHLO. */
export function offeredIn(text: string): Offered {
  const lines = text.toUpperCase().split('\n').slice(1);
  const size = lines.map((line) => /^SIZE(?: (\d{1,15}))?$/.exec(line.trim())).find((found) => found !== null);
  const has = (name: string): boolean => lines.some((line) => line.trim().split(' ')[0] === name);
  return {
    pipelining: has('PIPELINING'),
    eightBit: has('8BITMIME'),
    utf8: has('SMTPUTF8'),
    size: size ? { max: Number(size[1] ?? 0) || undefined } : undefined,
  };
}

/** A reply in its parts. */
export function replyOf(text: string, command: string): SmtpReply {
  const lines = text
    .slice(0, REPLY_LENGTH_MAX)
    .split(/\r?\n/)
    .map((line) => /^(\d{3})[ -]?(?:([245]\.\d{1,3}\.\d{1,3}) )?(.*)$/.exec(line));
  const [first] = lines;
  return {
    command,
    code: Number(first?.[1] ?? 0),
    enhancedCode: first?.[2] ?? null,
    text: lines.map((line) => line?.[3] ?? '').join('\n'),
  };
}

/** What a server said of recipients that it was only asked about. */
export interface Asked {
  /** To each, in order. */
  replies: SmtpReply[];
  /** Why there are no further ones; empty: nobody else was asked about. */
  problem: string;
}

/** The next recipient, in view of the replies so far; undefined: that is all. */
export type NextRecipient = (replies: readonly SmtpReply[]) => string | undefined;

interface Conversation {
  /** One message. The connection can be used on when `isOpen` says so. */
  send(mail: Mail): Promise<Transaction>;
  /** Asks which recipients it would take mail of the null sender for; no message is begun. */
  ask(next: NextRecipient): Promise<Asked>;
  readonly isOpen: boolean;
  /** QUIT, politely; resolves when the connection is closed. */
  close(): Promise<void>;
  destroy(): void;
}

/** Takes the connection over. `replyTimeoutMs` is for MAIL and RCPT; the other times follow from it. */
export function converse(
  socket: Socket,
  { offered, replyTimeoutMs }: { offered: Offered; replyTimeoutMs: number },
): Conversation {
  const reader = readReplies(socket);
  let needsReset = false;
  return {
    get isOpen() {
      return reader.isOpen;
    },
    async send(mail) {
      const line = new Line(socket, reader, replyTimeoutMs);
      const transaction = await exchange(line, mail, { offered, needsReset });
      needsReset = !transaction.isAccepted;
      return transaction;
    },
    ask: (next) => askRecipients(new Line(socket, reader, replyTimeoutMs), next),
    async close() {
      if (socket.closed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.once('close', () => resolve());
      if (reader.isOpen) socket.end('QUIT\r\n');
      else socket.destroy();
      const timer = setTimeout(() => socket.destroy(), CLOSE_MS);
      timer.unref();
      await promise;
      clearTimeout(timer);
    },
    destroy: () => socket.destroy(),
  };
}

const NOTHING = Buffer.alloc(0);

/** A server that was told goodbye gets so long for its own. */
const CLOSE_MS = 2000;

/** What is said and heard for one message. */
class Line {
  readonly #socket: Socket;
  readonly #reader: ReplyReader;
  readonly #replyMs: number;
  readonly replies: SmtpReply[] = [];
  readonly spoken: Spoken[] = [];
  #saidMs = 0;
  /** The end of the message has left. */
  hasEnded = false;

  constructor(socket: Socket, reader: ReplyReader, replyMs: number) {
    this.#socket = socket;
    this.#reader = reader;
    this.#replyMs = replyMs;
  }

  say(text: string): void {
    this.#saidMs = performance.now();
    this.#socket.write(text);
  }

  async hear(command: string, patience: number = PATIENCE.reply): Promise<SmtpReply> {
    const spoken: Spoken = { command, saidMs: this.#saidMs };
    this.spoken.push(spoken);
    const reply = replyOf(await this.#reader.next(Math.max(1, Math.round(this.#replyMs * patience))), command);
    // What cannot be read is no answer to rely on.
    if (reply.code < 200 || reply.code > 599) this.#reader.fail(`the server said what is no reply: ${reply.text}`);
    this.replies.push(reply);
    Object.assign(spoken, { reply, heardMs: performance.now() });
    return reply;
  }

  /** The message and the dot that ends it. */
  async pour(mail: Mail): Promise<SmtpReply> {
    const slices = wireData(mail.raw, mail.isWire);
    let next = slices.next();
    this.#socket.cork();
    for (const pieces of wireData(mail.above ?? NOTHING)) for (const piece of pieces) this.#socket.write(piece);
    while (!next.done) {
      const pieces = next.value;
      next = slices.next();
      if (next.done) mail.beforeEnd?.();
      for (const piece of pieces) this.#socket.write(piece);
      if (next.done) break;
      this.#socket.uncork();
      await this.#drained();
      this.#socket.cork();
    }
    if (mail.raw.length === 0) mail.beforeEnd?.();
    this.#socket.write(END, (error) => (this.hasEnded = !error));
    this.#socket.uncork();
    this.#saidMs = performance.now();
    return this.hear('.', PATIENCE.end);
  }

  /** Others have their turn; a server that takes nothing for long is given up. */
  async #drained(): Promise<void> {
    await turn();
    if (this.#socket.writableNeedDrain && this.#reader.isOpen) {
      const timer = setTimeout(
        () => this.#reader.fail('the server took no more of the message'),
        this.#replyMs * PATIENCE.block,
      );
      await new Promise<void>((resolve) => {
        const go = (): void => {
          this.#socket.off('drain', go).off('close', go);
          resolve();
        };
        this.#socket.on('drain', go).on('close', go);
      });
      clearTimeout(timer);
    }
    if (!this.#reader.isOpen) {
      // A server may refuse in the middle; that is its answer, and the rest stays here.
      const early = replyOf(await this.#reader.next(1), '.');
      this.#reader.fail('the server answered before the message ended');
      this.replies.push(early);
      this.spoken.push({ command: '.', saidMs: this.#saidMs, reply: early, heardMs: performance.now() });
      throw new Early(early);
    }
  }

  abandon(): void {
    this.#reader.fail('the server went on with a message that it had refused');
  }

  problem(error: unknown): string {
    return this.#reader.problem === '' ? messageOf(error) : this.#reader.problem;
  }
}

/** Refused before it was whole. */
class Early extends Error {
  readonly reply: SmtpReply;

  constructor(reply: SmtpReply) {
    super(reply.text);
    this.reply = reply;
  }
}

const sizeOf = ({ above = NOTHING, raw }: Mail): number => above.length + raw.length;

function commandsOf(mail: Mail, offered: Offered): { from: string; to: string } {
  const isUtf8 = !isAscii(Buffer.from(mail.from + mail.to));
  const size = offered.size ? ` SIZE=${sizeOf(mail)}` : '';
  const body = offered.eightBit && !(isAscii(mail.above ?? NOTHING) && isAscii(mail.raw)) ? ' BODY=8BITMIME' : '';
  return {
    from: `MAIL FROM:<${mail.from}>${size}${body}${isUtf8 && offered.utf8 ? ' SMTPUTF8' : ''}`,
    to: `RCPT TO:<${mail.to}>`,
  };
}

/** No character of an address ends a command or begins a parameter. */
// eslint-disable-next-line no-control-regex
const UNSPEAKABLE = /[\0-\x1f\x7f]|^[^"]*[<>\s]/;

async function exchange(
  line: Line,
  mail: Mail,
  { offered, needsReset }: { offered: Offered; needsReset: boolean },
): Promise<Transaction> {
  const ended = (end: Partial<Transaction>): Transaction => ({
    replies: line.replies,
    spoken: line.spoken,
    isAccepted: false,
    decisive: undefined,
    isUncertain: false,
    isTooLarge: false,
    problem: '',
    ...end,
  });
  if (UNSPEAKABLE.test(mail.from) || UNSPEAKABLE.test(mail.to))
    return ended({ problem: 'an address of the envelope cannot be written in SMTP' });
  if (offered.size?.max !== undefined && sizeOf(mail) > offered.size.max) return ended({ isTooLarge: true });
  try {
    const refusal = await (offered.pipelining ? beginAtOnce : beginInTurn)(line, commandsOf(mail, offered), needsReset);
    if (refusal) return ended({ decisive: refusal });
    const last = await line.pour(mail);
    return ended({ decisive: last, isAccepted: last.code < 300 });
  } catch (error) {
    if (error instanceof Early) return ended({ decisive: error.reply });
    return ended({ isUncertain: line.hasEnded, problem: line.problem(error) });
  }
}

/** The server ends the connection. */
const CLOSING = 421;

async function askRecipients(line: Line, next: NextRecipient): Promise<Asked> {
  const replies: SmtpReply[] = [];
  const say = (command: string): Promise<SmtpReply> => {
    line.say(`${command}\r\n`);
    return line.hear(command);
  };
  try {
    const sender = await say('MAIL FROM:<>');
    if (sender.code >= 400) return { replies, problem: `the server said ${sender.code} ${sender.text} to MAIL` };
    for (let to = next(replies); to !== undefined; to = next(replies)) {
      if (UNSPEAKABLE.test(to)) return { replies, problem: 'the address cannot be written in SMTP' };
      const reply = await say(`RCPT TO:<${to}>`);
      replies.push(reply);
      if (reply.code === CLOSING) return { replies, problem: 'the server ended the connection' };
    }
    return { replies, problem: '' };
  } catch (error) {
    return { replies, problem: line.problem(error) };
  }
}

type Begin = (
  line: Line,
  commands: { from: string; to: string },
  needsReset: boolean,
) => Promise<SmtpReply | undefined>;

/** All commands in one write. Answers the reply that refuses. */
const beginAtOnce: Begin = async (line, { from, to }, needsReset) => {
  line.say(`${needsReset ? 'RSET\r\n' : ''}${from}\r\n${to}\r\nDATA\r\n`);
  if (needsReset) await line.hear('RSET');
  const mail = await line.hear(from);
  const recipient = await line.hear(to);
  const data = await line.hear('DATA', PATIENCE.data);
  const refusal = [mail, recipient, data].find(({ code }) => code >= 400);
  // A server that goes on all the same (RFC 2920 §3.1) would take an empty message for one: it gets none.
  if (refusal && data.code < 400) line.abandon();
  return refusal;
};

const beginInTurn: Begin = async (line, { from, to }, needsReset) => {
  for (const command of [...(needsReset ? ['RSET'] : []), from, to, 'DATA']) {
    line.say(`${command}\r\n`);
    const reply = await line.hear(command, command === 'DATA' ? PATIENCE.data : PATIENCE.reply);
    if (reply.code >= 400) return reply;
  }
  return undefined;
};
