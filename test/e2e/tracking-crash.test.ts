// Killed while readers open messages: what was written before stays, once, and the same links go on working.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { call, KEY, kill, start } from '../harness/crash.ts';
import { freePorts } from '../harness/daemon.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { freshDatabase } from '../harness/template-database.ts';
import { startUdpDns } from '../harness/udp-dns.ts';

const DOMAIN = 'news.example.com';
const HALF = 15;
const RECIPIENTS = Array.from({ length: 2 * HALF }, (_, place) => `r${place}@world.example`);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 120_000; !(await isSo()); await pause(100))
    assert.ok(Date.now() < end, `${what} did not come in time`);
}

/** Who opened, each as often as the events say. */
async function openedBy(url: string): Promise<string[]> {
  const begin = Math.floor(Date.now() / 1000) - 80_000;
  const { items } = await call(url, 'GET', `/v3/${DOMAIN}/events?event=opened&limit=300&ascending=yes&begin=${begin}`);
  return items.map(({ recipient }: { recipient: string }) => recipient).sort();
}

describe('kill −9 while opens are counted', () => {
  it('loses none that was written, counts none twice, and ends no link', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-crash-'));
    const database = await freshDatabase(dataDir);
    const server = await startMailServer({});
    const dns = await startUdpDns({});
    const [port] = await freePorts(1);
    const env = {
      GALLEY_PORT: String(port),
      GALLEY_SMTP_PORT: '0',
      GALLEY_DATA_DIR: dataDir,
      GALLEY_API_KEY: KEY,
      GALLEY_ROLES: 'api,send',
      GALLEY_OPTIONAL_ENGINES: 'off',
      GALLEY_LOG_LEVEL: 'silent',
      GALLEY_DELIVERY: 'live',
      GALLEY_PUBLIC_URL: `http://127.0.0.1:${port}`,
      GALLEY_SMTP_RELAY: `smtp://127.0.0.1:${server.port}?tls=off`,
      GALLEY_DNS_SERVERS: `127.0.0.1:${dns.port}`,
      ...database.env,
    };
    let running = await start(env);
    try {
      const { sending_dns_records: records } = await call(running.url, 'POST', '/v4/domains', { name: DOMAIN });
      for (const { name, value, record_type: type } of records) dns.add(`${name} ${type}`, [value]);
      await call(running.url, 'PUT', `/v4/domains/${DOMAIN}/verify`);
      const letter = {
        from: `ann@${DOMAIN}`,
        to: RECIPIENTS,
        subject: 'Hello',
        html: '<p>Hello</p>',
        'o:tracking': 'yes',
      };
      await call(running.url, 'POST', `/v3/${DOMAIN}/messages`, letter);
      await until(() => server.messages.length === RECIPIENTS.length, 'the mail');
      const pixels = new Map(
        server.messages.map(({ to, raw }) => {
          const html = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
          return [to[0]!, new URL(/src="(https?:[^"]*\/o\/[^"]*)"/.exec(html)![1]!).pathname] as const;
        }),
      );
      const open = async (recipient: string): Promise<void> => {
        const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/132.0' };
        const answer = await fetch(running.url + pixels.get(recipient)!, { headers });
        assert.equal(answer.status, 200);
        await answer.arrayBuffer();
      };
      const [before, late] = [RECIPIENTS.slice(0, HALF).sort(), RECIPIENTS.slice(HALF)];
      await Promise.all(before.map(open));
      await until(async () => (await openedBy(running.url)).length >= HALF, 'the events');
      await Promise.all(late.map(open));
      await kill(running);
      running = await start(env);
      // A page of events ends two seconds ago.
      await pause(2500);
      const found = await openedBy(running.url);
      assert.deepEqual(
        found.filter((recipient) => before.includes(recipient)),
        before,
      );
      const ofLate = found.filter((recipient) => late.includes(recipient));
      assert.equal(new Set(ofLate).size, ofLate.length);
      const lost = late.filter((recipient) => !ofLate.includes(recipient));
      await Promise.all([...lost, before[0]!].map(open));
      await until(
        async () => (await openedBy(running.url)).length >= RECIPIENTS.length + 1,
        'the events after the start',
      );
      assert.deepEqual(await openedBy(running.url), [...RECIPIENTS, before[0]!].sort());
    } finally {
      running.child.kill('SIGKILL');
      await server.close();
      await dns.close();
      await database.remove();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
