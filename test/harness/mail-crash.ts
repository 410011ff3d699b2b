// Kills Galley while mail pours into a preview address, starts it again, and says what became of what was answered 250.
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSpool } from '../../src/platform/mail/index.ts';
import { call, KEY, kill, start, type Running } from './crash.ts';
import { freePorts } from './daemon.ts';
import { connectSmtp } from './smtp-client.ts';
import { freshDatabase } from './template-database.ts';

interface MailCrashOutcome {
  kills: number;
  /** Messages answered 250. */
  accepted: number;
  /** At each kill, how many waited in the spool: answered 250, or about to be, and not handed over. */
  waitedAtKills: number[];
  lost: string[];
  twice: string[];
  /** What the spool still holds when all is done and Galley has ended. */
  left: string[];
}

const CONNECTIONS = 6;
/** The list of tests is read in one page. */
const TESTS_MAX = 200;

/** Sends message after message on one connection until Galley is gone. */
async function pour(
  port: number,
  to: string,
  { next, accepted }: { next(): string; accepted(subject: string): void },
): Promise<void> {
  const client = await connectSmtp(port);
  await client.say('EHLO client.test');
  for (;;) {
    const subject = next();
    await client.say('MAIL FROM:<sender@client.test>');
    await client.say(`RCPT TO:<${to}>`);
    await client.say('DATA');
    const reply = await client.say(`Subject: ${subject}\r\nContent-Type: text/html\r\n\r\n<p>${subject}</p>\r\n.`);
    if (!reply.startsWith('250')) return client.close();
    accepted(subject);
  }
}

/** Subjects that were answered 250 before the kill, which follows the `count`th of them at once. */
async function pourUntilKilled(
  running: Running,
  { port, to, count, round }: { port: number; to: string; count: number; round: number },
): Promise<string[]> {
  const accepted: string[] = [];
  let said = 0;
  let killed: Promise<void> | undefined;
  const turn = {
    next: () => `crash ${round}.${(said += 1)}`,
    accepted(subject: string) {
      accepted.push(subject);
      if (accepted.length >= count) killed ??= kill(running);
    },
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => pour(port, to, turn)));
  await killed;
  return accepted;
}

async function countWaiting(dir: string): Promise<number> {
  const spool = await openSpool(dir);
  const { length } = spool.waiting();
  await spool.close();
  return length;
}

async function subjectsOf(url: string, accepted: readonly string[]): Promise<string[]> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const tests = await call(url, 'GET', `/v2/preview/tests?results=${TESTS_MAX}`);
    const subjects = tests.map(({ subject }: { subject: string }) => subject);
    if (accepted.every((subject) => subjects.includes(subject)) || Date.now() > deadline) return subjects;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Runs the whole experiment on a database and directory of its own. `perKill` messages are accepted before each kill.
 */
export async function mailCrashRun({ kills, perKill }: { kills: number; perKill: number }): Promise<MailCrashOutcome> {
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-crash-'));
  const database = await freshDatabase(dataDir);
  const [port = 0] = await freePorts(1);
  const env = {
    GALLEY_PORT: '0',
    GALLEY_SMTP_PORT: String(port),
    GALLEY_SUBMISSION_PORT: '0',
    GALLEY_SUBMISSION_TLS_PORT: '0',
    GALLEY_ROLES: 'api,mail',
    GALLEY_DATA_DIR: dataDir,
    GALLEY_API_KEY: KEY,
    GALLEY_OPTIONAL_ENGINES: 'off',
    GALLEY_LOG_LEVEL: 'silent',
    ...database.env,
  };
  const accepted: string[] = [];
  const waitedAtKills: number[] = [];
  let running: Running | undefined;
  try {
    for (let round = 0; round < kills; round += 1) {
      running = await start(env);
      const { preview_address: to } = await call(running.url, 'POST', '/v1/preview/address');
      accepted.push(...(await pourUntilKilled(running, { port, to, count: perKill, round })));
      waitedAtKills.push(await countWaiting(join(dataDir, 'spool')));
    }
    running = await start(env);
    const subjects = await subjectsOf(running.url, accepted);
    const exited = once(running.child, 'exit');
    running.child.kill('SIGTERM');
    const [code] = await exited;
    if (code !== 0) throw new Error(`SIGTERM ended Galley with code ${code}.`);
    const lost = accepted.filter((subject) => !subjects.includes(subject));
    const twice = subjects.filter((subject, place) => subjects.indexOf(subject) !== place);
    return {
      kills,
      accepted: accepted.length,
      waitedAtKills,
      lost,
      twice,
      left: await readdir(join(dataDir, 'spool')),
    };
  } finally {
    running?.child.kill('SIGKILL');
    await database.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}
