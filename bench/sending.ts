// Messages handed over, beside nodemailer's pool with the same bytes. Then the whole path on both databases: calls of
// 1,000 recipients are accepted, and each recipient's copy is claimed, filled, signed, handed over and settled as an
// event. Both are measured warm: the pool and the service send some before. `npm run bench -- sending 2000` takes so
// many recipients instead of 100,000, and `… 2000 PostgreSQL` runs a part alone (`handed-over`, `embedded`,
// `PostgreSQL`).
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { generateDkimKey } from '../src/engines/mail-authentication/index.ts';
import { compileMail, fillMail, signMail } from '../src/engines/mail-merge/index.ts';
import { createZoneDns } from '../src/platform/dns/index.ts';
import { createMailer, type MailerOptions } from '../src/platform/mail/index.ts';
import { postgresAbsence, startPostgres } from '../test/harness/postgres.ts';
import { load, median } from './measure.ts';
import type { Progress, ServerFacts } from './sending-server.ts';
import type { Counted } from './sending-sink.ts';

const RECIPIENTS = Number(process.argv[3] ?? 100_000);
const ONLY = process.argv[4];
const PER_CALL = 1000;
const HANDED = Math.min(5000, RECIPIENTS);
const ROUNDS = 5;
/** Of the pool, right before and right after the whole path. */
const BESIDE = Math.min(2000, RECIPIENTS);
/** Sent and settled before anything is measured: code that runs for the first time is not yet compiled. */
const WARM_UP = Math.min(3000, RECIPIENTS);
const CONNECTIONS = 10;
const DESTINATIONS = 50;
const KEY = 'key-of-the-sending-benchmark';
const DOMAIN = 'news.bench.example';

const MUST = {
  handOver: 3,
  wholePath: 1,
  acceptMs: 120,
  cpuMs: { PostgreSQL: 0.8, embedded: 1.1 },
};

const HTML =
  '<!doctype html><html><body><p>Dear %recipient.name%,</p>\n' +
  `${'<p style="margin:0">Grüße aus der Kombüse, dear reader &amp; friend.</p>\n'.repeat(330)}` +
  '<a href="https://example.com/u?id=%recipient.id%">unsubscribe</a></body></html>';
const TEXT = `Dear %recipient.name%,\n${'Grüße aus der Kombüse, dear reader & friend.\n'.repeat(30)}`;
/** `BENCH_CPU_PROFILES=folder` writes where the processor time of each process goes, for `node --cpu-prof`'s readers. */
const PROFILES = process.env['BENCH_CPU_PROFILES'];
const PROFILED = PROFILES === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`];
const log = { debug() {}, info() {}, warn() {}, error() {} } as unknown as MailerOptions['log'];

function child(name: string, args: readonly string[] = [], env: Record<string, string> = {}): ChildProcess {
  return fork(join(import.meta.dirname, name), args, {
    env: { ...process.env, ...env },
    execArgv: ['--disable-warning=ExperimentalWarning', ...PROFILED],
  });
}

function answerOf<Answer>(process: ChildProcess, question?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`a child process ended with ${code}`));
    process.once('exit', ended);
    process.once('message', (message) => {
      process.off('exit', ended);
      resolve(message as Answer);
    });
    if (question !== undefined) process.send(question);
  });
}

interface Figures {
  perSecond: number;
  cpuMs: number;
}

/** So many at once, one after the other. */
async function timed(count: number, work: (index: number) => Promise<unknown>): Promise<Figures> {
  let next = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS * 2 }, async () => {
      while (next < count) await work(next++);
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: count / ((performance.now() - start) / 1000), cpuMs: (user + system) / 1000 / count };
}

async function signedMessage(): Promise<Buffer> {
  const compiled = await compileMail({
    from: { name: 'Ann', address: `ann@${DOMAIN}` },
    to: [{ name: '', address: 'reader@d0.example' }],
    subject: 'News',
    text: TEXT,
    html: HTML,
    date: new Date(),
    messageId: `<bench@${DOMAIN}>`,
  });
  const filled = fillMail(compiled, {
    recipient: { name: '', address: 'reader@d0.example' },
    variables: { name: 'Zoë', id: '1' },
  });
  if (!filled.ok) throw new Error(filled.fault);
  const privateKey = await generateDkimKey('rsa-2048');
  const { head, body } = await signMail(filled, [{ domain: DOMAIN, selector: 's1', privateKey }], new Date());
  return Buffer.concat([head, body]);
}

const middle = (figures: readonly Figures[]): Figures => ({
  perSecond: median(figures.map(({ perSecond }) => perSecond)),
  cpuMs: median(figures.map(({ cpuMs }) => cpuMs)),
});

const shown = ({ perSecond, cpuMs }: Figures): string => `${Math.round(perSecond)}/s, ${cpuMs.toFixed(3)} ms CPU each`;

function check(isRight: boolean, text: string): void {
  console.log(`${isRight ? 'right' : 'WRONG'}  ${text}`);
  if (!isRight) process.exitCode = 1;
}

const envelopeOf = (index: number) => ({ from: `ann@${DOMAIN}`, to: `r${index}@d0.example` });

/** nodemailer's pool, which sends the same message again and again. */
function openPool(port: number, raw: Buffer) {
  const pool = nodemailer.createTransport({
    pool: true,
    host: '127.0.0.1',
    port,
    maxConnections: CONNECTIONS,
    maxMessages: Infinity,
    ignoreTLS: true,
  });
  return { send: (index: number) => pool.sendMail({ envelope: envelopeOf(index), raw }), close: () => pool.close() };
}

/** The pool at this moment: a machine that others use is another one a minute later. */
async function poolNow(raw: Buffer): Promise<number> {
  const sink = child('sending-sink.ts');
  const { port } = await answerOf<{ port: number }>(sink);
  const pool = openPool(port, raw);
  await timed(CONNECTIONS * 20, pool.send);
  const { perSecond } = await timed(BESIDE, pool.send);
  pool.close();
  sink.kill();
  return perSecond;
}

/** Rounds take turns; the first warms up. */
async function handOver(raw: Buffer): Promise<void> {
  const sink = child('sending-sink.ts');
  const { port } = await answerOf<{ port: number }>(sink);
  const pool = openPool(port, raw);
  const mailer = createMailer({
    dns: createZoneDns({}),
    fetch: {} as MailerOptions['fetch'],
    log,
    helo: 'out.test',
    allowHosts: [],
    now: Date.now,
    concurrencyPerDestination: CONNECTIONS,
    messagesPerConnectionMax: Infinity,
  });
  const byMailer = async (index: number): Promise<void> => {
    const route = { host: '127.0.0.1', port, tls: 'none' as const };
    const { outcome, reason } = await mailer.deliver({ ...envelopeOf(index), raw, route });
    if (outcome !== 'delivered') throw new Error(reason);
  };
  const figures: { pool: Figures[]; mailer: Figures[] } = { pool: [], mailer: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const both = { pool: await timed(HANDED, pool.send), mailer: await timed(HANDED, byMailer) };
    if (round === 0) continue;
    figures.pool.push(both.pool);
    figures.mailer.push(both.mailer);
  }
  pool.close();
  mailer.close();
  sink.kill();
  const [theirs, ours] = [middle(figures.pool), middle(figures.mailer)];
  console.log(
    `handed over, ${Math.round(raw.length / 1024)} KB, ${CONNECTIONS} connections${load()}: ours ${shown(ours)};`,
  );
  console.log(`  nodemailer's pool ${shown(theirs)} (CPU ${(theirs.cpuMs / ours.cpuMs).toFixed(1)} ×)`);
  const ratio = ours.perSecond / theirs.perSecond;
  check(ratio >= MUST.handOver, `handed over ${ratio.toFixed(2)} × nodemailer's pool, at least ${MUST.handOver} ×`);
}

interface Call {
  from: number;
  to: number;
  /** Default: now. */
  deliveryAt?: Date;
}

/** A call of at most 1,000 recipients; answers milliseconds. */
async function accept(url: string, { from, to, deliveryAt }: Call): Promise<number> {
  const variables: Record<string, { name: string; id: string }> = {};
  for (let index = from; index < Math.min(to, from + PER_CALL); index += 1)
    variables[`r${index}@d${index % DESTINATIONS}.example`] = { name: `Reader ${index}`, id: `id-${index}` };
  const form = new URLSearchParams({
    from: `Ann <ann@${DOMAIN}>`,
    to: Object.keys(variables).join(', '),
    subject: 'News for %recipient.name%',
    text: TEXT,
    html: HTML,
    'recipient-variables': JSON.stringify(variables),
    ...(deliveryAt && { 'o:deliverytime': deliveryAt.toUTCString() }),
  });
  const start = performance.now();
  const response = await fetch(`${url}/v3/${DOMAIN}/messages`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`api:${KEY}`)}` },
    body: form,
  });
  if (!response.ok) throw new Error(`a call was answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  return performance.now() - start;
}

/** Nothing moves for so long: the rest is lost, or waits for something that does not come. */
const STILL_MS = 60_000;
/** The slowest that is waited for. */
const PER_SECOND_MIN = 100;
/** Events are shown when they are two seconds old. */
const SHOWN_MS = 3000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/**
 * Until every copy has ended, nothing moves for a minute, or the time is over. The server is asked when the sink has
 * all.
 */
async function settled(
  { server, sink }: { server: ChildProcess; sink: ChildProcess },
  all: number,
): Promise<Progress & { at: number }> {
  const start = performance.now();
  const endsAt = start + STILL_MS + (all / PER_SECOND_MIN) * 1000;
  let [last, lastAt] = [-1, start];
  for (;;) {
    const { messages } = await answerOf<Counted>(sink, 'count');
    const now = performance.now();
    if (messages !== last) [last, lastAt] = [messages, now];
    const isOver = now - lastAt > STILL_MS || now > endsAt;
    if (messages >= all || isOver) {
      const progress = await answerOf<Progress>(server, 'progress');
      if (progress.isDone || isOver) return { ...progress, at: performance.now() };
    }
    await pause(100);
  }
}

async function wholePath(kind: 'PostgreSQL' | 'embedded', env: Record<string, string>, raw: Buffer): Promise<void> {
  const sink = child('sending-sink.ts');
  const { port } = await answerOf<{ port: number }>(sink);
  const server = child('sending-server.ts', [KEY, String(port), String(DESTINATIONS)], env);
  const { url } = await answerOf<{ url: string }>(server);
  const both = { server, sink };
  for (let from = 0; from < WARM_UP; from += PER_CALL) await accept(url, { from, to: WARM_UP });
  await settled(both, WARM_UP);
  const all = WARM_UP + RECIPIENTS;
  // All is accepted before anything is due, so that the two are measured apart.
  const deliveryAt = new Date(Date.now() + 20_000 + (RECIPIENTS / PER_CALL) * 1500);
  const calls: number[] = [];
  const began = performance.now();
  for (let from = WARM_UP; from < all; from += PER_CALL) calls.push(await accept(url, { from, to: all, deliveryAt }));
  const acceptedMs = performance.now() - began;
  const poolBefore = await poolNow(raw);
  const { rssMb } = await answerOf<ServerFacts>(server, 'facts');
  if (Date.now() > deliveryAt.getTime()) console.log('all took so long that some were delivered meanwhile');
  await pause(deliveryAt.getTime() - Date.now());
  const before = await answerOf<Progress>(server, 'progress');
  const start = performance.now();
  const { cpuMs: cpuAfter, at } = await settled(both, all);
  const seconds = (at - start) / 1000;
  const poolAfter = await poolNow(raw);
  await pause(SHOWN_MS);
  const facts = await answerOf<ServerFacts>(server, 'facts');
  const counted = await answerOf<Counted>(sink, 'count');
  server.send('stop');
  await new Promise((resolve) => server.once('exit', resolve));
  sink.kill();
  const cpuMs = (cpuAfter - before.cpuMs) / RECIPIENTS;
  const perSecond = (facts.delivered - WARM_UP) / seconds;
  console.log(
    `${kind}: ${RECIPIENTS} recipients accepted in ${(acceptedMs / 1000).toFixed(1)} s, delivered with their events ` +
      `in ${seconds.toFixed(1)} s (${Math.round(perSecond)}/s), resident memory ${Math.round(rssMb)} MB before, ` +
      `${Math.round(facts.rssMb)} after, ${Math.round(facts.rssMaxMb)} at most${load()}`,
  );
  const acceptMs = median(calls);
  check(
    acceptMs <= MUST.acceptMs,
    `a call of ${PER_CALL} accepted in ${acceptMs.toFixed(0)} ms, ${MUST.acceptMs} at most`,
  );
  const ratio = perSecond / ((poolBefore + poolAfter) / 2);
  check(
    ratio >= MUST.wholePath,
    `claim to event ${ratio.toFixed(2)} × nodemailer's pool without database and signature ` +
      `(${Math.round(poolBefore)}/s right before, ${Math.round(poolAfter)}/s right after)`,
  );
  check(cpuMs <= MUST.cpuMs[kind], `${cpuMs.toFixed(2)} ms CPU a message, ${MUST.cpuMs[kind]} at most`);
  const lost = all - counted.recipients - facts.waiting;
  check(
    lost === 0 && counted.twice === 0 && facts.failed === 0 && facts.waiting === 0,
    `${counted.messages} messages came over ${counted.connections} connections: ${lost} lost, ` +
      `${counted.twice} twice, ${facts.failed} failures, ${facts.waiting} waiting`,
  );
}

export async function run(): Promise<void> {
  const raw = await signedMessage();
  const isAsked = (part: string): boolean => ONLY === undefined || ONLY === part;
  if (isAsked('handed-over')) await handOver(raw);
  if (isAsked('embedded')) await wholePath('embedded', {}, raw);
  if (!isAsked('PostgreSQL')) return;
  if (postgresAbsence !== undefined) {
    console.log(`PostgreSQL: ${postgresAbsence}`);
    return;
  }
  const postgres = await startPostgres();
  await postgres.start();
  await wholePath('PostgreSQL', { GALLEY_DATABASE_URL: postgres.url }, raw);
  await postgres.close();
}
