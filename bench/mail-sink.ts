// A child process that takes every message and forgets it: the least an SMTP server can do.
import net from 'node:net';

const REPLIES: Record<string, string> = {
  EHLO: '250-sink.test\r\n250-PIPELINING\r\n250 8BITMIME',
  MAIL: '250 Ok',
  RCPT: '250 Ok',
  DATA: '354 Go',
  RSET: '250 Ok',
  QUIT: '221 Bye',
};

const server = net.createServer({ noDelay: true }, (socket) => {
  let received = Buffer.alloc(0);
  let isData = false;
  socket.write('220 sink.test\r\n');
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    for (;;) {
      if (isData) {
        const end = received.indexOf('\r\n.\r\n');
        if (end < 0) {
          // All but what may be the beginning of the end.
          received = received.subarray(Math.max(0, received.length - 4));
          return;
        }
        received = received.subarray(end + 5);
        isData = false;
        socket.write('250 Ok\r\n');
        continue;
      }
      const end = received.indexOf('\r\n');
      if (end < 0) return;
      const verb = received.toString('latin1', 0, Math.min(4, end)).toUpperCase();
      received = received.subarray(end + 2);
      isData = verb === 'DATA';
      socket.write(`${REPLIES[verb] ?? '500 What?'}\r\n`);
    }
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as net.AddressInfo).port }));
