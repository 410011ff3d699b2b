// Mail servers that say exactly what they are told to: the world that mail goes out to.
import net from 'node:net';
import tls from 'node:tls';

export interface MailServerOptions {
  /**
   * Answers to commands by their verb (`MAIL`, `RCPT`, `DATA`, `.`, `EHLO`, `STARTTLS`, `AUTH`, `greeting`); undefined:
   * the usual one. `null` hangs up, `false` is silence.
   */
  answer?: (verb: string, line: string, connection: object) => string | null | false | undefined;
  /** A whole message is answered when this is done. */
  beforeAnswer?: (to: readonly string[]) => Promise<void>;
  /** Offers STARTTLS with this certificate. */
  certificate?: { key: string; cert: string };
  /** TLS from the first byte. */
  isImplicitTls?: boolean;
  /** Instead of completing the handshake, breaks it. */
  breaksTls?: boolean;
  host?: string;
  port?: number;
}

export interface MailServer extends AsyncDisposable {
  port: number;
  /** What was taken. */
  messages: { from: string; to: string[]; raw: string; isEncrypted: boolean; client: { ip: string; name: string } }[];
  /** Every command of every connection. */
  lines: string[];
  connections(): number;
  /** The most at once. */
  connectionsMax(): number;
  close(): Promise<void>;
}

const USUAL: Record<string, string> = {
  greeting: '220 mx.test ESMTP',
  MAIL: '250 2.1.0 Ok',
  RCPT: '250 2.1.5 Ok',
  DATA: '354 Go ahead',
  '.': '250 2.0.0 Ok: queued as 1',
  RSET: '250 Ok',
  QUIT: '221 Bye',
  AUTH: '235 2.7.0 Accepted',
  STARTTLS: '220 Ready',
};

/** Starts a server. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const messages: MailServer['messages'] = [];
  const lines: string[] = [];
  const open = new Set<net.Socket>();
  let total = 0;
  let most = 0;
  const server = net.createServer((plain) => {
    total++;
    open.add(plain);
    most = Math.max(most, open.size);
    plain.on('close', () => open.delete(plain));
    plain.on('error', () => {});
    if (options.isImplicitTls) encrypt(plain, (secure) => converse(secure, true));
    else converse(plain, false);
  });

  function encrypt(socket: net.Socket, then: (secure: net.Socket) => void): void {
    if (options.breaksTls) return void socket.destroy();
    const secure = new tls.TLSSocket(socket, { isServer: true, ...options.certificate });
    secure.on('error', () => {});
    secure.once('secure', () => then(secure));
  }

  function converse(socket: net.Socket, isEncrypted: boolean, isGreeting = true): void {
    let received = '';
    let from = '';
    const client = { ip: socket.remoteAddress ?? '', name: '' };
    let to: string[] = [];
    let isData = false;
    socket.setEncoding('latin1');
    const reply = (verb: string, line: string): boolean => {
      const extensions = [
        'mx.test',
        'PIPELINING',
        'SIZE 1000000',
        '8BITMIME',
        'AUTH PLAIN',
        ...(options.certificate && !isEncrypted ? ['STARTTLS'] : []),
      ];
      const usual =
        verb === 'EHLO'
          ? extensions.map((text, index) => `250${index === extensions.length - 1 ? ' ' : '-'}${text}`).join('\r\n')
          : verb === 'DATA' && to.length === 0
            ? '503 5.5.1 No recipients'
            : (USUAL[verb] ?? '500 5.5.1 What?');
      const said = options.answer?.(verb, line, socket);
      if (said === null) socket.destroy();
      else if (said !== false) socket.write(`${said ?? usual}\r\n`);
      return /^[23]/.test(said === null || said === false ? '' : (said ?? usual));
    };
    if (isGreeting) reply('greeting', '');
    socket.on('data', (chunk: string) => {
      received += chunk;
      for (;;) {
        if (isData) {
          const end = received.startsWith('.\r\n') ? 0 : received.indexOf('\r\n.\r\n') + 2;
          if (end === 1) return;
          const raw = received.slice(0, end);
          received = received.slice(end + 3);
          isData = false;
          const message = { from, to, raw, isEncrypted, client: { ...client } };
          const take = (): void => void (reply('.', '') && messages.push(message));
          if (options.beforeAnswer) void options.beforeAnswer(to).then(take);
          else take();
          to = [];
          continue;
        }
        const end = received.indexOf('\r\n');
        if (end < 0) return;
        const line = received.slice(0, end);
        received = received.slice(end + 2);
        lines.push(line);
        const verb = line.split(' ')[0]!.toUpperCase();
        const isFine = reply(verb, line);
        if (verb === 'EHLO') client.name = line.slice(5);
        if (verb === 'MAIL') from = /<(.*?)>/.exec(line)?.[1] ?? '';
        if (verb === 'RCPT' && isFine) to.push(/<(.*?)>/.exec(line)?.[1] ?? '');
        if (verb === 'DATA' && isFine) isData = true;
        if (verb === 'QUIT') socket.end();
        if (verb === 'STARTTLS' && isFine) {
          socket.removeAllListeners('data');
          encrypt(socket, (secure) => converse(secure, true, false));
          return;
        }
      }
    });
    socket.on('error', () => {});
  }

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    messages,
    lines,
    connections: () => total,
    connectionsMax: () => most,
    close,
    [Symbol.asyncDispose]: close,
  };
}
