// A listener for POP3 (RFC 1939, 2449, 2595): mail programs read a mailbox that is kept here. One command at a time of
// each connection; a message goes out in pieces, at the speed of whoever reads it.
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { messageOf } from '../errors/index.ts';
import type { Log } from '../log/index.ts';

export interface PopMailbox {
  /** In their order, as they were when the connection logged in. */
  messages: readonly { id: string; sizeBytes: number }[];
  /** Undefined: it is gone. A sentence: why it is not read so. */
  read(id: string): Promise<Buffer | string | undefined>;
  remove(ids: readonly string[]): Promise<void>;
}

interface PopListenerOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
  tls: { cert: string; key: string };
  /** Whether passwords are taken on a connection that is not encrypted. */
  takesPlain: boolean;
  /** The mailbox, or a sentence that says why there is none. */
  logIn(given: { name: string; password: string; remoteAddress: string }): Promise<PopMailbox | string>;
  log: Log;
  limits?: Partial<typeof LIMITS>;
}

interface PopListener {
  port: number;
  useCertificate(certificate: { cert: string; key: string }): void;
  close(): Promise<void>;
}

const LIMITS = {
  connectionsMax: 200,
  perAddressMax: 20,
  loginTimeoutMs: 30_000,
  /** RFC 1939 §3: ten minutes at least. */
  idleTimeoutMs: 600_000,
  /** A connection ends then, whatever it does: whose password was replaced reads no longer. */
  lastsMs: 3_600_000,
  failuresMax: 3,
  lineBytesMax: 512,
};
/** So much of a message is written at once. */
const PIECE_BYTES = 64 * 1024;

/** Resolves with the first of these events. */
function firstOf(socket: Socket, ...events: string[]): Promise<void> {
  return new Promise((resolve) => {
    const came = (): void => {
      for (const event of events) socket.off(event, came);
      resolve();
    };
    for (const event of events) socket.on(event, came);
  });
}

/** Lines of a message as they go over the wire: each ends with CRLF, and one that begins with a dot gets another. */
function* piecesOf(raw: Buffer): Generator<string> {
  for (let from = 0; from < raw.length;) {
    const end = raw.indexOf(0x0a, from + PIECE_BYTES);
    const to = end === -1 ? raw.length : end + 1;
    const text = raw.toString('latin1', from, to).replaceAll(/\r?\n/g, '\r\n').replaceAll('\n.', '\n..');
    const lines = text.startsWith('.') ? `.${text}` : text;
    yield to === raw.length && !lines.endsWith('\r\n') ? `${lines}\r\n` : lines;
    from = to;
  }
}

/** The header, and so many lines of what follows. */
function topOf(raw: Buffer, lines: number): Buffer {
  const blank = /\r?\n\r?\n/.exec(raw.toString('latin1', 0, Math.min(raw.length, 1024 * 1024)));
  if (!blank) return raw.subarray(0, 1024 * 1024);
  let end = blank.index + blank[0].length;
  for (let count = 0; count < lines && end < raw.length; count += 1) {
    const next = raw.indexOf(0x0a, end);
    end = next === -1 ? raw.length : next + 1;
  }
  return raw.subarray(0, end);
}

class PopSession {
  readonly #options: PopListenerOptions & { limits: typeof LIMITS };
  readonly #context: () => tls.SecureContext;
  readonly #remoteAddress: string;
  #socket: Socket;
  #isSecure = false;
  #name: string | undefined;
  #mailbox: PopMailbox | undefined;
  #gone = new Set<number>();
  #failures = 0;

  constructor(
    socket: Socket,
    options: PopListenerOptions & { limits: typeof LIMITS },
    context: () => tls.SecureContext,
  ) {
    this.#socket = socket;
    this.#options = options;
    this.#context = context;
    this.#remoteAddress = socket.remoteAddress ?? '';
  }

  /** Resolves when the connection has ended. */
  async run(): Promise<void> {
    const late = setTimeout(() => this.#endLate(), this.#options.limits.loginTimeoutMs);
    const end = setTimeout(() => this.#socket.destroy(), this.#options.limits.lastsMs).unref();
    try {
      await this.#say('+OK POP3 of the sandbox');
      while (!this.#socket.destroyed) {
        const line = await this.#line();
        if (line === undefined) break;
        const isOver = await this.#answer(line);
        if (this.#mailbox) clearTimeout(late);
        if (isOver) break;
      }
    } finally {
      clearTimeout(late);
      clearTimeout(end);
      this.#socket.destroy();
    }
  }

  #endLate(): void {
    if (!this.#mailbox) this.#socket.end('-ERR nobody logged in in time\r\n', () => this.#socket.destroy());
  }

  /** The next command; undefined at the end, and after a line that is too long. */
  async #line(): Promise<string | undefined> {
    const max = this.#options.limits.lineBytesMax;
    let held = Buffer.alloc(0);
    for (;;) {
      const end = held.indexOf(0x0a);
      if (end !== -1) {
        if (end + 1 < held.length) this.#socket.unshift(held.subarray(end + 1));
        return held.toString('latin1', 0, end).replace(/\r$/, '');
      }
      if (held.length > max) {
        await this.#say('-ERR the line is too long');
        return undefined;
      }
      const chunk = this.#socket.read() as Buffer | null;
      if (chunk) held = Buffer.concat([held, chunk]);
      else if (this.#socket.readableEnded || this.#socket.destroyed) return undefined;
      else await firstOf(this.#socket, 'readable', 'end', 'close');
    }
  }

  async #say(text: string): Promise<false> {
    if (!this.#socket.destroyed && !this.#socket.write(`${text}\r\n`, 'latin1'))
      await firstOf(this.#socket, 'drain', 'close');
    return false;
  }

  /** True: the connection ends. */
  async #answer(line: string): Promise<boolean> {
    const [, word = '', rest = ''] = /^(\S*) ?(.*)$/.exec(line) ?? [];
    const command = word.toUpperCase();
    if (command === 'QUIT') return this.#quit();
    if (command === 'CAPA') return this.#capabilities();
    if (command === 'NOOP' && this.#mailbox) return this.#say('+OK');
    return this.#mailbox ? this.#inMailbox(this.#mailbox, command, rest) : this.#before(command, rest);
  }

  #takesPassword(): boolean {
    return this.#isSecure || this.#options.takesPlain;
  }

  #capabilities(): Promise<false> {
    const login = this.#takesPassword() ? ['USER'] : [];
    const encryption = this.#isSecure || this.#mailbox ? [] : ['STLS'];
    return this.#say(['+OK', 'TOP', 'UIDL', 'RESP-CODES', 'PIPELINING', ...login, ...encryption, '.'].join('\r\n'));
  }

  async #before(command: string, rest: string): Promise<boolean> {
    if (command === 'STLS' && !this.#isSecure) return this.#encrypt();
    if (command !== 'USER' && command !== 'PASS') return this.#say('-ERR log in first, with USER and PASS');
    if (!this.#takesPassword()) return this.#say('-ERR passwords are taken on encrypted connections only: STLS');
    if (command === 'USER') {
      this.#name = rest;
      return this.#say('+OK');
    }
    if (this.#name === undefined) return this.#say('-ERR USER comes first');
    return this.#logIn(this.#name, rest);
  }

  async #encrypt(): Promise<boolean> {
    await this.#say('+OK');
    // What was said before in clear is forgotten (RFC 2595 §4), as is what somebody put in behind it.
    while (this.#socket.read() !== null);
    this.#name = undefined;
    this.#socket.setTimeout(0);
    const secure = new tls.TLSSocket(this.#socket, { isServer: true, secureContext: this.#context() });
    secure.on('error', () => secure.destroy());
    secure.setTimeout(this.#options.limits.idleTimeoutMs, () => secure.destroy());
    await firstOf(secure, 'secure', 'close');
    this.#socket = secure;
    this.#isSecure = true;
    return secure.destroyed;
  }

  async #logIn(name: string, password: string): Promise<boolean> {
    this.#name = undefined;
    const found = await this.#options.logIn({ name, password, remoteAddress: this.#remoteAddress });
    if (typeof found !== 'string') {
      this.#mailbox = found;
      return this.#say(`+OK ${found.messages.length} messages`);
    }
    this.#failures += 1;
    await this.#say(`-ERR [AUTH] ${found}`);
    return this.#failures >= this.#options.limits.failuresMax;
  }

  /** The places of the messages that are not marked. */
  #places({ messages }: PopMailbox): number[] {
    return messages.map((_, place) => place).filter((place) => !this.#gone.has(place));
  }

  async #inMailbox(mailbox: PopMailbox, command: string, rest: string): Promise<boolean> {
    const { messages } = mailbox;
    const places = this.#places(mailbox);
    if (command === 'STAT')
      return this.#say(`+OK ${places.length} ${places.reduce((sum, place) => sum + messages[place]!.sizeBytes, 0)}`);
    if (command === 'RSET') {
      this.#gone.clear();
      return this.#say('+OK');
    }
    const rowOf = (place: number): string =>
      `${place + 1} ${command === 'LIST' ? messages[place]!.sizeBytes : messages[place]!.id}`;
    const isList = command === 'LIST' || command === 'UIDL';
    if (isList && rest === '') return this.#say(['+OK', ...places.map(rowOf), '.'].join('\r\n'));
    if (!isList && !['RETR', 'TOP', 'DELE'].includes(command)) return this.#say('-ERR unknown command');
    const [, number = '', lines] = /^(\d{1,6})(?: (\d{1,9}))?$/.exec(rest) ?? [];
    const place = Number(number) - 1;
    if (number === '' || !places.includes(place) || (command === 'TOP') !== (lines !== undefined))
      return this.#say(command === 'TOP' ? '-ERR TOP takes a message and a number of lines' : '-ERR no such message');
    if (isList) return this.#say(`+OK ${rowOf(place)}`);
    if (command === 'DELE') {
      this.#gone.add(place);
      return this.#say('+OK');
    }
    return this.#hand(await mailbox.read(messages[place]!.id), lines);
  }

  async #hand(raw: Buffer | string | undefined, lines: string | undefined): Promise<boolean> {
    if (!raw) return this.#say('-ERR the message is gone');
    if (typeof raw === 'string') return this.#say(`-ERR ${raw}`);
    await this.#say('+OK');
    for (const piece of piecesOf(lines === undefined ? raw : topOf(raw, Number(lines)))) {
      if (this.#socket.destroyed) return true;
      if (!this.#socket.write(piece, 'latin1')) await firstOf(this.#socket, 'drain', 'close');
    }
    return this.#say('.');
  }

  /** What was marked goes now, and not when a connection breaks (RFC 1939 §6). */
  async #quit(): Promise<boolean> {
    const { messages = [] } = this.#mailbox ?? {};
    if (this.#gone.size > 0) await this.#mailbox?.remove([...this.#gone].map((place) => messages[place]!.id));
    this.#socket.end('+OK\r\n');
    if (!this.#socket.destroyed) await firstOf(this.#socket, 'finish', 'close');
    return true;
  }
}

/** Rejects when the port cannot be had. */
export async function createPopListener(given: PopListenerOptions): Promise<PopListener> {
  const options = { ...given, limits: { ...LIMITS, ...given.limits } };
  let context = tls.createSecureContext(given.tls);
  const perAddress = new Map<string, number>();
  const open = new Set<Socket>();
  const server = net.createServer((socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (perAddress.get(address) ?? 0) + 1;
    perAddress.set(address, count);
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
    if (count > options.limits.perAddressMax) return void socket.end('-ERR too many connections of your address\r\n');
    socket.setTimeout(options.limits.idleTimeoutMs, () => socket.destroy());
    new PopSession(socket, options, () => context).run().catch((error: unknown) => {
      given.log.warn({ message: messageOf(error) }, 'a connection over POP3 failed');
      socket.destroy();
    });
    return undefined;
  });
  server.maxConnections = options.limits.connectionsMax;
  server.listen(given.port, given.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    useCertificate: (certificate) => (context = tls.createSecureContext(certificate)),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
