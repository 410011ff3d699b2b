// Mail in: messages of 50 KB accepted and stored durably, beside a bare smtp-server that forgets them. Mail out:
// messages composed, signed and sent to a local sink, beside nodemailer doing the same. Rounds take turns; the middle
// one counts.
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { generateDkimKey, signDkim } from '../src/engines/mail-authentication/index.ts';
import { composeMessage, newMessageId } from '../src/engines/mime/index.ts';
import { listenForMail } from '../src/app/mail-in.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { createZoneDns } from '../src/platform/dns/index.ts';
import type { MailReceiver } from '../src/platform/feature/index.ts';
import { createMailer, type MailerOptions, type SmtpListenerOptions } from '../src/platform/mail/index.ts';
import { median } from './measure.ts';

const ROUNDS = 5;
const ACCEPTED = 2000;
const SENT = 1000;
const CONNECTIONS = 64;
const SENDING_CONNECTIONS = 10;
const SIZE_BYTES = 50 * 1024;
const log = { debug() {}, info() {}, warn() {}, error() {} } as unknown as SmtpListenerOptions['log'];

function child(name: string): ChildProcess {
  return fork(join(import.meta.dirname, name), { execArgv: ['--disable-warning=ExperimentalWarning'] });
}

function answerOf<Answer>(process: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    process.once('message', (message) => resolve(message as Answer));
    process.once('exit', (code) => reject(new Error(`a child process ended with ${code}`)));
  });
}

/** Messages per second that a port takes. */
async function pour(port: number): Promise<number> {
  const client = child('mail-client.ts');
  const answer = answerOf<{ seconds: number }>(client);
  client.send({ port, connections: CONNECTIONS, messages: ACCEPTED, sizeBytes: SIZE_BYTES });
  const { seconds } = await answer;
  client.kill();
  return ACCEPTED / seconds;
}

async function bareServer(): Promise<{ port: number; close: () => void }> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        Buffer.concat(chunks);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.server.address() as AddressInfo).port, close: () => void server.close(() => undefined) };
}

async function takeTurns<Name extends string>(
  contestants: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const figures = Object.fromEntries(Object.keys(contestants).map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of Object.keys(contestants) as Name[]) {
      const figure = await contestants[name]();
      // The first round warms up.
      if (round > 0) figures[name].push(figure);
    }
  }
  return Object.fromEntries(
    (Object.entries(figures) as [Name, number[]][]).map(([name, list]) => [name, median(list)]),
  ) as Record<Name, number>;
}

/** Takes everything and is done with it at once: what is measured is the way to the 250, and the hand-over after it. */
const taker: MailReceiver<unknown> = {
  name: 'taker',
  delivery: 'spooled',
  accepts: async () => true,
  receive: async () => {},
};

async function accept(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'galley-bench-mail-'));
  const bare = await bareServer();
  const config = readConfig({ GALLEY_DATA_DIR: dir, GALLEY_HOST: '127.0.0.1', GALLEY_SMTP_PORT: '0' });
  const ours = await listenForMail({ config, log }, [{ mailReceivers: [taker] }], {
    limits: { connectionsMax: 500, connectionsPerAddressMax: 500 },
  });
  const figures = await takeTurns({ bare: () => pour(bare.port), ours: () => pour(ours.port) });
  console.log(
    `accepted, ${SIZE_BYTES / 1024} KB each, ${CONNECTIONS} connections: ${Math.round(figures.ours)} ` +
      'messages/s synced to disk before their 250 and handed over; bare smtp-server, which forgets them, ' +
      `${Math.round(figures.bare)}/s (${(figures.ours / figures.bare).toFixed(2)} ×)`,
  );
  await ours.close();
  bare.close();
  await rm(dir, { recursive: true });
}

const HTML =
  '<!doctype html><html><body>' +
  `${'<p style="margin:0">Grüße aus der Kombüse, dear reader &amp; friend.</p>\n'.repeat(350)}</body></html>`;
const TEXT = 'Grüße aus der Kombüse, dear reader & friend.\n'.repeat(100);

async function inParallel(work: (index: number) => Promise<unknown>): Promise<number> {
  const indexes = Array.from({ length: SENT }, (_, index) => index).values();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: SENDING_CONNECTIONS * 2 }, async () => {
      for (const index of indexes) await work(index);
    }),
  );
  return SENT / ((performance.now() - start) / 1000);
}

async function send(): Promise<void> {
  const sink = child('mail-sink.ts');
  const { port } = await answerOf<{ port: number }>(sink);
  const privateKey = await generateDkimKey('rsa-2048');
  const key = { domain: 'example.com', selector: 's1', privateKey };
  const mailer = createMailer({
    dns: createZoneDns({}),
    fetch: {} as MailerOptions['fetch'],
    log,
    helo: 'out.test',
    allowHosts: [],
    now: Date.now,
    concurrencyPerDestination: SENDING_CONNECTIONS,
  });
  const pool = {
    pool: true,
    host: '127.0.0.1',
    port,
    maxConnections: SENDING_CONNECTIONS,
    maxMessages: 100,
    ignoreTLS: true,
  } as const;
  const plain = nodemailer.createTransport(pool);
  const signing = nodemailer.createTransport({
    ...pool,
    dkim: { domainName: key.domain, keySelector: key.selector, privateKey },
  });
  const message = (index: number) => ({
    from: 'Ann <ann@example.com>',
    to: `r${index}@example.org`,
    subject: 'Grüße',
    text: TEXT,
    html: HTML,
  });
  const ours = async (index: number): Promise<void> => {
    const date = new Date();
    const { raw } = await composeMessage({
      from: { name: 'Ann', address: 'ann@example.com' },
      to: [{ name: '', address: `r${index}@example.org` }],
      subject: 'Grüße',
      text: TEXT,
      html: HTML,
      date,
      messageId: newMessageId({ date, unique: String(index), domain: 'example.com' }),
    });
    const { outcome, reason } = await mailer.deliver({
      from: 'ann@example.com',
      to: `r${index}@example.org`,
      raw: signDkim(raw, [key], date),
      route: { host: '127.0.0.1', port, tls: 'none' },
    });
    if (outcome !== 'delivered') throw new Error(reason);
  };
  const figures = await takeTurns({
    plain: () => inParallel((index) => plain.sendMail(message(index))),
    signing: () => inParallel((index) => signing.sendMail(message(index))),
    ours: () => inParallel(ours),
  });
  console.log(
    `sent, ${Math.round(HTML.length / 1024)} KB of HTML and text, ${SENDING_CONNECTIONS} connections: ` +
      `${Math.round(figures.ours)} messages/s composed, signed (rsa-2048) and delivered with every reply kept; ` +
      `nodemailer composing and signing ${Math.round(figures.signing)}/s ` +
      `(${(figures.ours / figures.signing).toFixed(2)} ×), composing only ${Math.round(figures.plain)}/s ` +
      `(${(figures.ours / figures.plain).toFixed(2)} ×)`,
  );
  plain.close();
  signing.close();
  mailer.close();
  sink.kill();
}

export async function run(): Promise<void> {
  await accept();
  await send();
}
