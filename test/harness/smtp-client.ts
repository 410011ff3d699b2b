// A mail client that says exactly what it is told to.
import net from 'node:net';
import tls from 'node:tls';

export interface SmtpClient {
  /** The greeting, or the answer to the last thing said; a multi-line answer is joined by line breaks. */
  answer(): Promise<string>;
  /** Sends a line and waits for its answer. */
  say(line: string): Promise<string>;
  /** Sends bytes as they are. */
  write(text: string): void;
  startTls(): Promise<void>;
  close(): void;
}

/** Connects to a listener on loopback and reads its greeting. */
export async function connectSmtp(port: number): Promise<SmtpClient & { greeting: string }> {
  let socket: net.Socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  let received = '';
  let isClosed = false;
  let wake = () => {};
  const listen = () => {
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      received += text;
      wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      isClosed = true;
      wake();
    });
  };
  const answer = async (): Promise<string> => {
    for (;;) {
      const complete = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(received);
      if (complete) {
        received = received.slice(complete[0].length);
        return complete[0].trimEnd().replaceAll('\r\n', '\n');
      }
      if (isClosed) return 'closed';
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const client: SmtpClient = {
    answer,
    say(line) {
      socket.write(`${line}\r\n`);
      return answer();
    },
    write: (text) => void socket.write(text, 'latin1'),
    async startTls() {
      socket.removeAllListeners();
      const secure = tls.connect({ socket, rejectUnauthorized: false });
      await new Promise((resolve) => secure.once('secureConnect', resolve));
      socket = secure;
      listen();
    },
    close: () => socket.destroy(),
  };
  listen();
  return { ...client, greeting: await answer() };
}
