import assert from 'node:assert/strict';
import net from 'node:net';
import { after, describe, it } from 'node:test';
import { createZoneDns } from '../../../test/harness/dns-zone.ts';
import { startMailServer } from '../../../test/harness/mail-server.ts';
import { createMailer, type Delivery, type Mailer, type MailerOptions } from './index.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} } as unknown as MailerOptions['log'];
const HEAD = 'From: a@sender.test\r\n\r\n';
const opened: Mailer[] = [];
after(() => opened.forEach((mailer) => mailer.close()));

function mailer(options: Partial<MailerOptions> = {}): Mailer {
  const made = createMailer({
    dns: createZoneDns({}),
    fetch: {} as MailerOptions['fetch'],
    log,
    helo: 'out.test',
    allowHosts: [],
    now: Date.now,
    ...options,
  });
  opened.push(made);
  return made;
}

const parcelTo = (port: number, raw: string | Buffer = `${HEAD}Hi\r\n`) => ({
  from: 'a@sender.test',
  to: 'b@x.test',
  raw: Buffer.from(raw),
  route: { host: '127.0.0.1', port, tls: 'none' as const },
});

/** A server that says what it is told to, chunk by chunk of what it hears. */
async function scripted(
  hear: (text: string, socket: net.Socket) => void,
  ehlo = '250-x\r\n250 PIPELINING',
): Promise<{ port: number; chunks: string[]; close: () => void }> {
  const chunks: string[] = [];
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.write('220 x\r\n');
    socket.setEncoding('latin1').on('data', (text: string) => {
      chunks.push(text);
      if (text.startsWith('EHLO')) socket.write(`${ehlo}\r\n`);
      else hear(text, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { port: (server.address() as net.AddressInfo).port, chunks, close };
}

async function told(
  hear: (text: string, socket: net.Socket) => void,
  { raw, ehlo, ...options }: { raw?: Buffer; ehlo?: string } & Partial<MailerOptions> = {},
): Promise<{ delivery: Delivery; chunks: string[] }> {
  const server = await scripted(hear, ehlo);
  const delivery = await mailer(options).deliver(parcelTo(server.port, raw));
  server.close();
  return { delivery, chunks: server.chunks };
}

describe('the bytes of a message', () => {
  const TABLE: [what: string, given: string, sent: string][] = [
    ['a dot that begins the first line', '.a\r\n', '..a\r\n'],
    ['dots alone', '.\r\n..\r\n', '..\r\n...\r\n'],
    ['a lone LF before a dot', `${HEAD}a\n.\nb\n`, `${HEAD}a\r\n..\r\nb\r\n`],
    ['a lone CR around a dot', `${HEAD}a\r.\rb\r`, `${HEAD}a\r\n..\r\nb\r\n`],
    ['LF CR and CR CR LF', `${HEAD}a\n\rb\r\r\nc`, `${HEAD}a\r\n\r\nb\r\n\r\nc\r\n`],
    ['a last line without an end', `${HEAD}a`, `${HEAD}a\r\n`],
    ['a last line of one dot', `${HEAD}.`, `${HEAD}..\r\n`],
    ['nothing', '', ''],
  ];
  for (const [what, given, sent] of TABLE)
    it(`leave so that nothing in them ends the message: ${what}`, async () => {
      await using server = await startMailServer();
      const { outcome, reason } = await mailer().deliver(parcelTo(server.port, given));
      assert.equal(outcome, 'delivered', reason);
      assert.deepEqual(
        server.messages.map(({ raw }) => raw),
        [sent],
      );
    });

  it('of many megabytes arrive whole, bare line ends around every cut mended', async () => {
    await using server = await startMailServer({ answer: (verb) => (verb === 'EHLO' ? '250 x' : undefined) });
    const lines = Array.from({ length: 60_000 }, (_, index) => `${index % 7 ? '' : '.'}${'x'.repeat(index % 90)}`);
    const ends = ['\r\n', '\n', '\r\n', '\r'];
    const given = lines.map((line, index) => line + ends[index % 4]).join('');
    await mailer().deliver(parcelTo(server.port, given));
    const expected = `${lines.map((line) => (line.startsWith('.') ? `.${line}` : line)).join('\r\n')}\r\n`;
    assert.ok(server.messages[0]?.raw === expected);
  });
});

describe('a conversation', () => {
  it('is three commands in one write where the server pipelines, and the body in one more', async () => {
    const { delivery, chunks } = await told((text, socket) => {
      if (text.startsWith('MAIL')) socket.write('250 1\r\n250 2\r\n354 3\r\n');
      else socket.write('250 4\r\n');
    });
    assert.equal(delivery.outcome, 'delivered');
    assert.deepEqual(chunks.slice(1), [
      'MAIL FROM:<a@sender.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n',
      `${HEAD}Hi\r\n.\r\n`,
    ]);
    assert.deepEqual(
      delivery.replies.map(({ command }) => command.split(' ')[0]),
      ['', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.'],
    );
  });

  it('is one command at a time elsewhere', async () => {
    const { delivery, chunks } = await told(
      (text, socket) => socket.write(text.startsWith('DATA') ? '354 go\r\n' : '250 ok\r\n'),
      { ehlo: '250 x' },
    );
    assert.equal(delivery.outcome, 'delivered');
    assert.equal(chunks.length, 5);
  });

  it('says the size and 8-bit text where they are asked for', async () => {
    const { chunks } = await told(
      (text, socket) => socket.write(text.startsWith('MAIL') ? '250 1\r\n250 2\r\n354 3\r\n' : '250 4\r\n'),
      { raw: Buffer.from('Grüße\r\n'), ehlo: '250-x\r\n250-SIZE 0\r\n250-8BITMIME\r\n250 PIPELINING' },
    );
    assert.match(chunks[1] ?? '', /^MAIL FROM:<a@sender\.test> SIZE=9 BODY=8BITMIME\r\n/);
  });

  it('gives no message to a server that goes on after a refusal', async () => {
    const { delivery, chunks } = await told((_text, socket) => socket.write('250 1\r\n550 5.1.1 No\r\n354 3\r\n'));
    assert.deepEqual([delivery.outcome, delivery.isUncertain, chunks.length], ['bounced', false, 2]);
  });

  it('begins anew after a refusal, in the same write', async () => {
    let asked = 0;
    const server = await scripted((text, socket) => {
      if (/^(RSET\r\n)?MAIL/.test(text))
        socket.write(
          asked++ === 0 ? '250 1\r\n550 5.1.1 No\r\n503 5.5.1 No\r\n' : '250 0\r\n250 1\r\n250 2\r\n354 3\r\n',
        );
      else socket.write('250 4\r\n');
    });
    const one = mailer();
    const outcomes = [
      (await one.deliver(parcelTo(server.port))).outcome,
      (await one.deliver(parcelTo(server.port))).outcome,
    ];
    server.close();
    assert.deepEqual(outcomes, ['bounced', 'delivered']);
    assert.ok(server.chunks[2]?.startsWith('RSET\r\nMAIL'));
  });

  const ENDS: [what: string, hear: (text: string, socket: net.Socket) => void, uncertain: boolean, reason: RegExp][] = [
    ['closes at MAIL', (_text, socket) => socket.destroy(), false, /connection/],
    ['closes after 354', (_text, socket) => socket.end('250 1\r\n250 2\r\n354 3\r\n'), false, /connection/],
    ['is silent at DATA', (_text, socket) => socket.write('250 1\r\n250 2\r\n'), false, /silent for 600 ms/],
    [
      'is silent after the message',
      (text, socket) => text.startsWith('MAIL') && socket.write('250 1\r\n250 2\r\n354 3\r\n'),
      true,
      /silent for 3000 ms/,
    ],
    [
      'closes after the message',
      (text, socket) => (text.startsWith('MAIL') ? socket.write('250 1\r\n250 2\r\n354 3\r\n') : void socket.destroy()),
      true,
      /connection/,
    ],
    ['speaks without an end', (_text, socket) => socket.write(`250-${'x'.repeat(70_000)}`), false, /does not end/],
    ['says what is no reply', (_text, socket) => socket.write('999 hello\r\n'), false, /no reply|999/],
  ];
  for (const [what, hear, isUncertain, reason] of ENDS)
    it(`with a server that ${what} is unreachable, ${isUncertain ? '' : 'not '}uncertain`, async () => {
      // Closed before the body is written: what then cannot leave has not left.
      const { delivery } = await told(
        hear,
        what === 'closes after 354' ? { raw: Buffer.alloc(3_000_000, 'x\r\n') } : { replyTimeoutMs: 1500 },
      );
      assert.equal(delivery.outcome, 'unreachable', delivery.reason);
      assert.equal(delivery.isUncertain, isUncertain);
      assert.match(delivery.reason, reason);
    });

  it('ends with the refusal that comes in the middle of a long message', async () => {
    const { delivery } = await told(
      (text, socket) => {
        if (text.startsWith('MAIL')) socket.write('250 1\r\n250 2\r\n354 3\r\n552 5.3.4 Too much\r\n');
      },
      { raw: Buffer.alloc(2_000_000, 'x\r\n') },
    );
    assert.deepEqual([delivery.outcome, delivery.isUncertain], ['bounced', false]);
    assert.match(delivery.reason, /552 5\.3\.4 Too much/);
  });

  it('tells the caller right before the message can be taken, and not when it cannot', async () => {
    await using server = await startMailServer({
      answer: (verb, line) => (verb === 'RCPT' && line.includes('no@') ? '550 5.1.1 No' : undefined),
    });
    const heard: string[] = [];
    const one = mailer();
    for (const name of ['yes', 'no'])
      await one.deliver({
        ...parcelTo(server.port),
        to: `${name}@x.test`,
        beforeEnd: () => heard.push(`${name} ${server.messages.length}`),
      });
    assert.deepEqual(heard, ['yes 0']);
  });

  it('has no place for a command in an address', async () => {
    await using server = await startMailServer();
    for (const to of ['b@x.test>\r\nDATA', 'b@x.test> SIZE=1', '<b@x.test', 'b\0@x.test']) {
      const { outcome } = await mailer().deliver({ ...parcelTo(server.port), to });
      assert.equal(outcome, 'unreachable');
    }
    assert.ok(server.lines.every((line) => !line.startsWith('RCPT')));
    const quoted = await mailer().deliver({ ...parcelTo(server.port), to: '"a b"@x.test' });
    assert.equal(quoted.outcome, 'delivered');
  });
});
