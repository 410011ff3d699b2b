// A thousand recipients whose server answers each in its own way: what the events, the logs and the queue say agrees
// with what the server counted, to the unit.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeCertificate } from '../../../../test/harness/certificate.ts';
import { startMailServer, type MailServer } from '../../../../test/harness/mail-server.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';

const DOMAIN = 'news.example.com';
/** Recipients of each kind, and how the attempts end that are made of each. */
const KINDS: Record<string, { count: number; attempts: string[] }> = {
  fine: { count: 500, attempts: ['delivered'] },
  once: { count: 100, attempts: ['temporary 451', 'delivered'] },
  greylisted: { count: 60, attempts: ['temporary 450', 'delivered'] },
  never: { count: 40, attempts: ['temporary 452', 'permanent old 602'] },
  gone: { count: 150, attempts: ['permanent bounce 550'] },
  full: { count: 50, attempts: ['permanent bounce 552'] },
  // The message arrives, and then the server is gone: it comes a second time, and the first event says so.
  closes: { count: 40, attempts: ['temporary 498', 'delivered'] },
  hangs: { count: 20, attempts: ['temporary 498', 'delivered'] },
  tls: { count: 40, attempts: ['delivered'] },
};
const kindOf = (address: string): string => /^[a-z]+/.exec(address)?.[0] ?? '';

const zone: Record<string, DeclaredRecords> = {
  'world.example': { MX: ['10 mx.world.example'] },
  'mx.world.example': { A: ['127.0.0.1'] },
  'tls.example': { MX: ['10 mx.tls.example'] },
  'mx.tls.example': { A: ['127.0.0.2'] },
};
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };

let world: MailServer;
let broken: MailServer;
let app: App;
/** What the server did, by recipient: its own count. */
const said = new Map<string, string[]>();

before(async () => {
  const tried = new Set<string>();
  const isFirst = (address: string): boolean => !tried.has(address) && Boolean(tried.add(address));
  const note = (address: string, what: string): void => void said.set(address, [...(said.get(address) ?? []), what]);
  /** By connection there is one message at a time; a server that answers in order may keep it here. */
  const current = new WeakMap<object, string>();
  const answer = (verb: string, line: string, connection: object): string | null | false | undefined => {
    if (verb === 'RCPT') {
      const address = /<(.*?)>/.exec(line)?.[1] ?? '';
      const kind = kindOf(address);
      current.set(connection, address);
      const refusal =
        kind === 'gone'
          ? '550 5.1.1 No such user'
          : kind === 'full'
            ? '552 5.2.2 Mailbox full'
            : kind === 'never'
              ? '452 4.2.2 Over quota'
              : kind === 'once' && isFirst(address)
                ? '451 4.3.0 Try again'
                : kind === 'greylisted' && isFirst(address)
                  ? '450 4.7.1 Greylisted'
                  : undefined;
      if (refusal !== undefined) note(address, refusal.slice(0, 3));
      return refusal;
    }
    if (verb !== '.') return undefined;
    const address = current.get(connection) ?? '';
    const kind = kindOf(address);
    if ((kind === 'closes' || kind === 'hangs') && isFirst(address)) {
      note(address, kind);
      return kind === 'closes' ? null : false;
    }
    note(address, '250');
    return undefined;
  };
  world = await startMailServer({ answer });
  const certificate = makeCertificate({ commonName: 'mx.tls.example' });
  broken = await startMailServer({
    host: '127.0.0.2',
    port: world.port,
    certificate,
    breaksTls: true,
    answer: answer,
  });
  app = await startApp(
    { GALLEY_ROLES: 'api,work,send', GALLEY_DELIVERY: 'live', GALLEY_ALLOW_HOSTS: '127.0.0.0/8' },
    { dns, mail: { mxPort: world.port, replyTimeoutMs: 1000, greetingTimeoutMs: 2000, concurrencyPerDestination: 10 } },
  );
  const { body } = await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  for (const record of body.sending_dns_records) zone[record.name] = { TXT: [record.value] };
  await app.call(`PUT /v4/domains/${DOMAIN}/verify`);
});
after(async () => {
  await app.close();
  await world.close();
  await broken.close();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function waiting(): Promise<{ due: number; all: number }> {
  const { rows } = await app.galley.outside.db.text(
    'select count(*)::int as all, (count(*) filter (where due_at <= $1))::int as due from deliveries',
    [app.clock.now()],
  );
  return rows[0] as { due: number; all: number };
}

async function untilNothingIsDue(): Promise<number> {
  for (;;) {
    const { due, all } = await waiting();
    if (due === 0) return all;
    await pause(50);
  }
}

/** Every item of the logs, by pages. */
async function allLogs(events: string[]): Promise<any[]> {
  const items: any[] = [];
  let token: string | undefined;
  for (;;) {
    const query = {
      start: new Date(app.clock.now().getTime() - 86_400_000).toUTCString(),
      end: app.clock.now().toUTCString(),
      events,
      pagination: { sort: 'timestamp:asc', limit: 100, ...(token !== undefined && { token }) },
    };
    const { status, body } = await app.call('POST /v1/analytics/logs', { body: query });
    assert.equal(status, 200, JSON.stringify(body));
    items.push(...body.items);
    token = body.pagination.next;
    if (body.items.length === 0 || token === undefined) return items;
  }
}

describe('a message to a thousand recipients', () => {
  it('has events that agree with what the server counted', { timeout: 240_000 }, async () => {
    const to = Object.entries(KINDS).flatMap(([kind, { count }]) =>
      Array.from({ length: count }, (_, place) => `${kind}${place}@${kind === 'tls' ? 'tls' : 'world'}.example`),
    );
    assert.equal(to.length, 1000);
    const { status, body } = await app.call(`POST /v3/${DOMAIN}/messages`, {
      body: { from: `ann@${DOMAIN}`, to, subject: 'Hello', text: 'Hello', 'o:deliver-within': '10m' },
    });
    assert.equal(status, 200, JSON.stringify(body));
    const left = await untilNothingIsDue();
    const count = (...kinds: string[]): number => kinds.reduce((sum, kind) => sum + KINDS[kind]!.count, 0);
    assert.equal(left, count('once', 'greylisted', 'never', 'closes', 'hangs'));
    app.clock.advance(305_000);
    assert.equal(await untilNothingIsDue(), 0);
    app.clock.advance(3000);

    const found = new Map<string, string[]>();
    const uncertain = new Set<string>();
    for (const item of await allLogs(['delivered', 'failed'])) {
      const { recipient, event, severity, reason } = item;
      const status = item['delivery-status'];
      const what = event === 'delivered' ? event : severity === 'temporary' ? `temporary ${status.code}` : '';
      found.set(recipient, [...(found.get(recipient) ?? []), what || `permanent ${reason} ${status.code}`]);
      if (/may have arrived/.test(status.description)) uncertain.add(recipient);
    }
    for (const address of to) assert.deepEqual(found.get(address), KINDS[kindOf(address)]!.attempts, address);
    assert.equal(found.size, 1000);

    // The server's own count: as often as events say that it took the message, and twice where nobody could know.
    const taken = (address: string): number =>
      said.get(address)?.filter((what) => ['250', 'closes', 'hangs'].includes(what)).length ?? 0;
    for (const address of to) {
      const delivered = found.get(address)!.filter((what) => what === 'delivered').length;
      assert.equal(taken(address), delivered + (uncertain.has(address) ? 1 : 0), address);
    }
    assert.equal(uncertain.size, count('closes', 'hangs'));
    const refusals = to.flatMap((address) => said.get(address)!.filter((what) => /^[45]/.test(what)));
    assert.equal(refusals.length, count('once', 'greylisted', 'gone', 'full') + 2 * count('never'));

    const { body: accepted } = await app.call('POST /v1/analytics/logs', {
      body: {
        start: new Date(app.clock.now().getTime() - 86_400_000).toUTCString(),
        events: ['accepted'],
        include_totals: true,
        pagination: { limit: 1 },
      },
    });
    assert.equal(accepted.pagination.total, 1000);
  });
});
