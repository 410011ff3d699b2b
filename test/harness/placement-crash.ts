// Kills Galley at random moments while placement tests run, starts it again, and says what became of every message.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { createSmtpListener } from '../../src/platform/mail/index.ts';
import { call, KEY, kill, start, type Running } from './crash.ts';
import { DOVECOT_PASSWORD, dovecotAbsence, startDovecot } from './dovecot.ts';
import { freshDatabase } from './template-database.ts';
import { FREE_PORTS } from './program.ts';

interface PlacementCrashOutcome {
  kills: number;
  tests: number;
  completed: number;
  seeds: number;
  /** Seeds that got no copy, or more than one. */
  notOnce: string[];
  /** Messages to mailboxes that were handed to the world outside more than once; counted there. */
  sentTwice: number;
  toMailboxes: number;
  /** To mailboxes, cut off in the middle and therefore not sent again. */
  leftUnsent: number;
  /** Attempts beyond the first: handovers that a kill had cut off. */
  resumed: number;
  slowestStartMs: number;
}

interface SeedResult {
  email: string;
  provider: string;
  copies: number;
  attempts: number;
  reason: string | null;
}

interface PlacementCrashOptions {
  kills: number;
  tests: number;
  /** At each local receiver. */
  seedsPerProvider: number;
  /** Where Dovecot is installed. */
  mailboxes: number;
  random: () => number;
}

/** The account's sandbox, which the refusal of another sender names. */
export async function sandboxOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/v4/inbox/tests`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`api:${KEY}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: 'a@elsewhere.example', subject: 'x', html: 'x' }),
  });
  return /sandbox[\w.-]+?(?=\.?$)/.exec(((await answer.json()) as { message: string }).message)?.[0] ?? '';
}

/** The mail servers of the world: they count what they take, by its token, and hand it to Dovecot. */
async function openWorld(): Promise<{
  env: Record<string, string>;
  imapPort: number;
  taken: Map<string, number>;
  close(): Promise<void>;
}> {
  const dovecot = await startDovecot();
  const transport = nodemailer.createTransport({
    lmtp: true,
    host: '127.0.0.1',
    port: dovecot.lmtpPort,
    ignoreTLS: true,
  } as object);
  const taken = new Map<string, number>();
  const relay = await createSmtpListener({
    host: '127.0.0.1',
    port: 0,
    sizeBytesMax: 1_000_000,
    accept: async () => true,
    log: { debug() {}, info() {}, warn() {}, error() {} } as never,
    async store(raw, { recipients }) {
      const token = /^X-Galley-Seed: (\w+)/m.exec(raw.toString('latin1'))?.[1] ?? '';
      taken.set(token, (taken.get(token) ?? 0) + 1);
      await transport.sendMail({ envelope: { from: 'relay@relay.example', to: recipients }, raw });
    },
  });
  return {
    env: {
      GALLEY_SMTP_RELAY: `smtp://127.0.0.1:${relay.port}`,
      GALLEY_ALLOW_HOSTS: '127.0.0.1',
      GALLEY_IMAP_PORTS: '1024-65535',
    },
    imapPort: dovecot.imapPort,
    taken,
    async close() {
      transport.close();
      await relay.close();
      await dovecot.close();
    },
  };
}

async function addMailboxes(url: string, { imapPort, count }: { imapPort: number; count: number }): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await call(url, 'POST', '/v1/seeds/mailboxes', {
      email: `seed${n}@mailboxes.example`,
      host: '127.0.0.1',
      port: imapPort,
      security: 'none',
      password: DOVECOT_PASSWORD,
    });
}

async function postUntilKilled(
  url: string,
  { accepted, from, options }: { accepted: string[]; from: string; options: PlacementCrashOptions },
): Promise<void> {
  while (accepted.length < options.tests) {
    const body = {
      from,
      subject: `crash ${accepted.length}`,
      html: `<h1>Test ${accepted.length}</h1><p>A letter to %recipient.first_name%.</p>`,
      seeds_per_provider: options.seedsPerProvider,
      deadline_minutes: 2,
    };
    const answer = await call(url, 'POST', '/v4/inbox/tests', body).catch(() => undefined);
    if (!answer) return;
    accepted.push(answer.result_id);
    // Not all at once, so that every kill finds some under way.
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function waitForAll(url: string, accepted: readonly string[]): Promise<any[]> {
  const deadline = Date.now() + 240_000;
  for (;;) {
    const answers = await Promise.all(accepted.map((id) => call(url, 'GET', `/v4/inbox/results/${id}`)));
    const results = answers.map(({ result }) => result);
    if (results.every(({ status }) => status === 'complete') || Date.now() > deadline) return results;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** Runs the whole experiment on a database and directory of its own. */
export async function placementCrashRun(options: PlacementCrashOptions): Promise<PlacementCrashOutcome> {
  const world = options.mailboxes && !dovecotAbsence ? await openWorld() : undefined;
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-crash-'));
  const database = await freshDatabase(dataDir);
  const env = {
    ...FREE_PORTS,
    GALLEY_DATA_DIR: dataDir,
    GALLEY_API_KEY: KEY,
    GALLEY_OPTIONAL_ENGINES: 'off',
    GALLEY_BROWSERS: '1',
    GALLEY_LOG_LEVEL: 'silent',
    ...database.env,
    ...world?.env,
  };
  const accepted: string[] = [];
  let slowestStartMs = 0;
  let running: Running | undefined;
  let from = '';
  try {
    for (let round = 0; round <= options.kills; round += 1) {
      const began = performance.now();
      running = await start(env);
      slowestStartMs = Math.max(slowestStartMs, performance.now() - began);
      if (!from && world) await addMailboxes(running.url, { imapPort: world.imapPort, count: options.mailboxes });
      from ||= `crash@${await sandboxOf(running.url)}`;
      if (round === options.kills) break;
      const posting = postUntilKilled(running.url, { accepted, from, options });
      await new Promise((resolve) => setTimeout(resolve, 30 + options.random() * 2500));
      await kill(running);
      await posting;
    }
    const { url, child } = running as Running;
    await postUntilKilled(url, { accepted, from, options });
    const results = await waitForAll(url, accepted);
    const seeds = results.flatMap(({ seed_results: some }) => some as SeedResult[]);
    const isLeft = ({ provider, reason }: SeedResult): boolean =>
      provider === 'mailboxes.example' && /is not sent again/.test(reason ?? '');
    const leftUnsent = seeds.filter((seed) => isLeft(seed) && seed.copies === 0);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    return {
      kills: options.kills,
      tests: accepted.length,
      completed: results.filter(({ status, delivery_stats: { all } }) => status === 'complete' && all.pending === 0)
        .length,
      seeds: seeds.length,
      notOnce: seeds.filter((seed) => seed.copies !== 1 && !leftUnsent.includes(seed)).map(({ email }) => email),
      sentTwice: [...(world?.taken.values() ?? [])].filter((count) => count > 1).length,
      toMailboxes: world?.taken.size ?? 0,
      leftUnsent: leftUnsent.length,
      resumed: seeds.reduce((sum, { attempts }) => sum + attempts - 1, 0),
      slowestStartMs,
    };
  } finally {
    running?.child.kill('SIGKILL');
    await database.remove();
    await world?.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
