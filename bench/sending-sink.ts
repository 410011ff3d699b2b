// A child process that takes every message and counts its recipient: the least an SMTP server can do that knows whether
// something was lost or came twice.
import net from 'node:net';

/** What came so far. */
export interface Counted {
  messages: number;
  recipients: number;
  twice: number;
  connections: number;
}

const REPLIES: Record<string, string> = {
  EHLO: '250-sink.test\r\n250-PIPELINING\r\n250 8BITMIME\r\n',
  DATA: '354 Go\r\n',
  QUIT: '221 Bye\r\n',
};
const END = Buffer.from('\r\n.\r\n');

const counts = new Map<string, number>();
let messages = 0;
let connections = 0;

function converse(socket: net.Socket): void {
  let held: Buffer = Buffer.alloc(0);
  let isData = false;
  let recipient = '';

  function line(text: string): string {
    const verb = text.slice(0, 4).toUpperCase();
    if (verb === 'RCPT') recipient = text.slice(text.indexOf('<') + 1, text.lastIndexOf('>'));
    isData = verb === 'DATA';
    return REPLIES[verb] ?? '250 Ok\r\n';
  }

  connections += 1;
  socket.write('220 sink.test\r\n');
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    let received = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let replies = '';
    for (;;) {
      const end = isData ? received.indexOf(END) : received.indexOf('\r\n');
      if (end < 0) break;
      if (isData) {
        counts.set(recipient, (counts.get(recipient) ?? 0) + 1);
        messages += 1;
        isData = false;
        replies += '250 Ok\r\n';
        received = received.subarray(end + END.length);
      } else {
        replies += line(received.toString('latin1', 0, end));
        received = received.subarray(end + 2);
      }
    }
    // Of a message, all but what may be the beginning of its end is forgotten.
    held = isData ? received.subarray(Math.max(0, received.length - END.length)) : received;
    if (replies !== '') socket.write(replies);
  });
}

const server = net.createServer({ noDelay: true }, converse);
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as net.AddressInfo).port }));
process.on('message', () => {
  process.send?.({ messages, recipients: counts.size, twice: messages - counts.size, connections } satisfies Counted);
});
process.on('disconnect', () => process.exit());
