// Several processes that send from one PostgreSQL: who took what, and how fast.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, KEY, kill, start, type Running } from './crash.ts';
import { startMailServer } from './mail-server.ts';
import { startPostgres } from './postgres.ts';
import { startUdpDns } from './udp-dns.ts';

const DOMAIN = 'news.example.com';

interface ProcessesOptions {
  processes: number;
  /** Calls of a thousand recipients. */
  calls: number;
  /** How long the server takes for its answer to a whole message. */
  answerMs: number;
  /** One of them is killed while it has messages under way. */
  isOneKilled?: boolean;
}

interface ProcessesOutcome {
  messages: number;
  /** From the first message at the server to the last. */
  ms: number;
  lost: string[];
  twice: string[];
  /** Of those that came twice, those whose events do not say that they may have. */
  unmarked: string[];
  /** From the kill until all was delivered. */
  afterKillMs: number;
  events: number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs the experiment on a PostgreSQL server of its own. */
export async function sendingProcessesRun(options: ProcessesOptions): Promise<ProcessesOutcome> {
  const { processes, calls, answerMs, isOneKilled = false } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-processes-'));
  const database = await startPostgres();
  const dns = await startUdpDns({});
  const taken = new Map<string, number>();
  let [first, last] = [0, 0];
  const server = await startMailServer({
    beforeAnswer: async ([recipient = '']) => {
      first ||= performance.now();
      taken.set(recipient, (taken.get(recipient) ?? 0) + 1);
      if (answerMs > 0) await pause(answerMs);
      last = performance.now();
    },
  });
  const env = {
    GALLEY_PORT: '0',
    GALLEY_SMTP_PORT: '0',
    GALLEY_DATA_DIR: dataDir,
    GALLEY_DATABASE_URL: database.url,
    GALLEY_DATABASE_CONNECTIONS: '8',
    GALLEY_API_KEY: KEY,
    GALLEY_OPTIONAL_ENGINES: 'off',
    GALLEY_LOG_LEVEL: 'silent',
    GALLEY_DELIVERY: 'live',
    GALLEY_SMTP_RELAY: `smtp://127.0.0.1:${server.port}?tls=off`,
    GALLEY_DNS_SERVERS: `127.0.0.1:${dns.port}`,
  };
  const running: Running[] = [];
  try {
    const api = await start({ ...env, GALLEY_ROLES: 'api' });
    running.push(api);
    const { sending_dns_records: records } = await call(api.url, 'POST', '/v4/domains', { name: DOMAIN });
    for (const { name, value, record_type: type } of records) dns.add(`${name} ${type}`, [value]);
    await call(api.url, 'PUT', `/v4/domains/${DOMAIN}/verify`);
    const to = Array.from({ length: calls * 1000 }, (_, place) => `r${place}@world.example`);
    for (let place = 0; place < to.length; place += 1000) {
      const letter = { from: `ann@${DOMAIN}`, to: to.slice(place, place + 1000), subject: 'Hello', text: 'Hello' };
      await call(api.url, 'POST', `/v3/${DOMAIN}/messages`, letter);
    }
    const senders = await Promise.all(
      Array.from({ length: processes }, () => start({ ...env, GALLEY_ROLES: 'api,send' })),
    );
    running.push(...senders);
    let killedAt = 0;
    if (isOneKilled) {
      while (taken.size < 200) await pause(5);
      await kill(senders[0]!);
      killedAt = performance.now();
    }
    const deadline = Date.now() + 200_000;
    const waiting = async (): Promise<number> =>
      Number((await database.query('select count(*)::int as count from deliveries'))[0]!['count']);
    while ((await waiting()) > 0 && Date.now() < deadline) await pause(50);
    const afterKillMs = killedAt === 0 ? 0 : performance.now() - killedAt;
    const marked = await database.query(`select recipient from events where about::text like '%may have%'`);
    const isMarked = new Set(marked.map(({ recipient }) => recipient as string));
    const [{ count: events } = { count: 0 }] = await database.query(
      'select count(*)::int as count from events where code = 250',
    );
    const twice = to.filter((address) => (taken.get(address) ?? 0) > 1);
    return {
      messages: to.length,
      ms: last - first,
      lost: to.filter((address) => !taken.has(address)),
      twice,
      unmarked: twice.filter((address) => !isMarked.has(address)),
      afterKillMs,
      events: events as number,
    };
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    await pause(100);
    await server.close();
    await dns.close();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
