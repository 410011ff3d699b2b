// Kills Galley while it delivers messages, starts it again, and says what came of what it had accepted: lost, twice, and
// whether each that came twice is said to be uncertain.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, KEY, kill, start, type Running } from './crash.ts';
import { startMailServer } from './mail-server.ts';
import { freshDatabase } from './template-database.ts';
import { startUdpDns, type DnsServer } from './udp-dns.ts';

const DOMAIN = 'news.example.com';

interface SendingCrashOutcome {
  kills: number;
  accepted: number;
  lost: string[];
  twice: string[];
  /** Of those that came twice, those whose events do not say that they may have. */
  unmarked: string[];
  /** At each kill: whole messages at the server without an answer that Galley can have read. */
  openAtKills: number[];
}

interface SendingCrashOptions {
  kills: number;
  perKill: number;
  /** How long the server takes for its answer to a whole message. */
  answerMs: number;
  random: () => number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A relay that counts what it took, by recipient, and answers late. */
async function startSink(answerMs: number) {
  const taken = new Map<string, number>();
  const open = new Set<string>();
  const server = await startMailServer({
    beforeAnswer: async ([recipient = '']) => {
      taken.set(recipient, (taken.get(recipient) ?? 0) + 1);
      open.add(recipient);
      await pause(answerMs);
      // What was just written may not have been read.
      setTimeout(() => open.delete(recipient), answerMs);
    },
  });
  return { server, taken, open };
}

async function verifiedDomain(url: string, dns: DnsServer): Promise<void> {
  const { sending_dns_records: records } = await call(url, 'POST', '/v4/domains', { name: DOMAIN });
  for (const { name, value, record_type: type } of records) dns.add(`${name} ${type}`, [value]);
  const { domain } = await call(url, 'PUT', `/v4/domains/${DOMAIN}/verify`);
  if (domain.state !== 'active') throw new Error(`The domain is ${domain.state}.`);
}

/** Recipients whose events say that a message may have come twice. */
async function markedIn(url: string, round: number): Promise<Set<string>> {
  const marked = new Set<string>();
  let token: string | undefined;
  for (;;) {
    const { items, pagination } = await call(url, 'POST', '/v1/analytics/logs', {
      start: new Date(Date.now() - 3_600_000).toUTCString(),
      events: ['failed'],
      filter: { AND: [{ attribute: 'tag', comparator: '=', values: [{ label: 'tag', value: `round${round}` }] }] },
      pagination: { sort: 'timestamp:asc', limit: 100, ...(token !== undefined && { token }) },
    });
    for (const { recipient, 'delivery-status': status } of items)
      if (/may have/.test(`${status.message} ${status.description}`)) marked.add(recipient);
    token = pagination.next;
    if (items.length === 0 || token === undefined) return marked;
  }
}

async function untilEmpty(url: string): Promise<void> {
  const deadline = Date.now() + 180_000;
  for (;;) {
    const { regular, scheduled } = await call(url, 'GET', `/v3/domains/${DOMAIN}/sending_queues`);
    if (regular.waiting + scheduled.waiting === 0) return;
    if (Date.now() > deadline) throw new Error(`${regular.waiting + scheduled.waiting} deliveries still wait.`);
    await pause(100);
  }
}

/** Runs the whole experiment on a database and directory of its own. */
export async function sendingCrashRun(options: SendingCrashOptions): Promise<SendingCrashOutcome> {
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-crash-'));
  const database = await freshDatabase(dataDir);
  const { server, taken, open } = await startSink(options.answerMs);
  const dns = await startUdpDns({});
  const env = {
    GALLEY_PORT: '0',
    GALLEY_SMTP_PORT: '0',
    GALLEY_DATA_DIR: dataDir,
    GALLEY_API_KEY: KEY,
    GALLEY_ROLES: 'api,send',
    GALLEY_OPTIONAL_ENGINES: 'off',
    GALLEY_LOG_LEVEL: 'silent',
    GALLEY_DELIVERY: 'live',
    GALLEY_SMTP_RELAY: `smtp://127.0.0.1:${server.port}?tls=off`,
    GALLEY_DNS_SERVERS: `127.0.0.1:${dns.port}`,
    ...database.env,
  };
  const outcome: SendingCrashOutcome = { kills: 0, accepted: 0, lost: [], twice: [], unmarked: [], openAtKills: [] };
  let running: Running = await start(env);
  try {
    await verifiedDomain(running.url, dns);
    for (let round = 0; round < options.kills; round += 1) {
      const to = Array.from({ length: options.perKill }, (_, place) => `r${round}.${place}@world.example`);
      const letter = { from: `ann@${DOMAIN}`, to, subject: 'Hello', text: 'Hello', 'o:tag': `round${round}` };
      await call(running.url, 'POST', `/v3/${DOMAIN}/messages`, letter);
      while (!to.some((address) => taken.has(address))) await pause(5);
      await pause(options.random() * 4 * options.answerMs);
      const exited = kill(running);
      const atKill = new Set(open);
      await exited;
      // What was on its way.
      await pause(20);
      outcome.openAtKills.push(new Set([...atKill, ...open]).size);
      running = await start(env);
      await untilEmpty(running.url);
      outcome.kills += 1;
      outcome.accepted += to.length;
      // A page of the logs ends two seconds ago.
      await pause(2500);
      const marked = await markedIn(running.url, round);
      outcome.lost.push(...to.filter((address) => !taken.has(address)));
      const twice = to.filter((address) => (taken.get(address) ?? 0) > 1);
      outcome.twice.push(...twice);
      outcome.unmarked.push(...twice.filter((address) => !marked.has(address)));
    }
    return outcome;
  } finally {
    running.child.kill('SIGKILL');
    await server.close();
    await dns.close();
    await database.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}
