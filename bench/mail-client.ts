// A child process that pours messages into a port as fast as it takes them: the least an SMTP client can do.
import net from 'node:net';

interface Order {
  port: number;
  connections: number;
  messages: number;
  sizeBytes: number;
}

const HEADER = 'From: a@sender.test\r\nTo: b@receiver.test\r\nSubject: bench\r\n\r\n';

function bodyOf(sizeBytes: number): string {
  const line = `${'x'.repeat(76)}\r\n`;
  return HEADER + line.repeat(Math.ceil((sizeBytes - HEADER.length) / line.length));
}

/** One connection that sends until nothing is left to send. */
function pour(port: number, take: () => boolean, message: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    let received = '';
    let step = 0;
    let isDone = false;
    const steps = ['EHLO bench.test\r\n', 'MAIL FROM:<a@sender.test>\r\n', 'RCPT TO:<b@receiver.test>\r\n', 'DATA\r\n'];
    const next = (): void => {
      if (isDone) return;
      isDone = step === 1 && !take();
      if (isDone) return void socket.end('QUIT\r\n');
      if (step < steps.length) socket.write(steps[step++] as string);
      else {
        socket.write(message);
        step = 1;
      }
    };
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      for (
        let match = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/.exec(received);
        match;
        match = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/.exec(received)
      ) {
        received = received.slice(match[0].length);
        if (Number(match[1]) >= 400) reject(new Error(match[0]));
        next();
      }
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

process.on('message', async ({ port, connections, messages, sizeBytes }: Order) => {
  const message = Buffer.from(`${bodyOf(sizeBytes)}.\r\n`);
  let left = messages;
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, () => pour(port, () => left-- > 0, message)));
  process.send?.({ seconds: (performance.now() - start) / 1000 });
});
