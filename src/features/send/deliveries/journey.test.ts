// A thousand recipients whose server answers each in its own way: what the events, the logs, the webhooks, the lists and
// the queue say agrees with what the server and the receiver of webhooks counted, to the unit.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { makeCertificate } from '../../../../test/harness/certificate.ts';
import { startMailServer, type MailServer } from '../../../../test/harness/mail-server.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { startReceiver, type Received, type Receiver } from '../../../../test/harness/webhook-receiver.ts';
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
let receiver: Receiver;
/** Takes every kind but `accepted`; of some recipients it refuses each event once. */
const TAKES = '/takes';
/** Wants none of what it is sent. */
const WANTS_NONE = '/wants-none';
/** Every seventh address. */
const isRefusedOnce = (recipient: string): boolean => Number(/\d+/.exec(recipient)?.[0]) % 7 === 3;
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
    { dns, mail: { mxPort: world.port, replyTimeoutMs: 2500, greetingTimeoutMs: 5000, concurrencyPerDestination: 10 } },
  );
  const { body } = await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  for (const record of body.sending_dns_records) zone[record.name] = { TXT: [record.value] };
  await app.call(`PUT /v4/domains/${DOMAIN}/verify`);
  receiver = await startReceiver();
  receiver.answer(WANTS_NONE, 406);
  receiver.answer(TAKES, (response, { event }) => {
    const { recipient, id } = event as { recipient: string; id: string };
    response.writeHead(isRefusedOnce(recipient) && isFirst(id) ? 500 : 200).end();
  });
  const hooks: [path: string, kinds: string[]][] = [
    [TAKES, ['delivered', 'temporary_fail', 'permanent_fail']],
    [WANTS_NONE, ['permanent_fail']],
  ];
  for (const [path, event_types] of hooks) {
    const { status } = await app.call('POST /v1/webhooks', { body: { url: receiver.url + path, event_types } });
    assert.equal(status, 200);
  }
});
after(async () => {
  await app.close();
  await receiver.close();
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

/** Until every webhook has ended, or waits for a later time, and none is to come of what is in the log. */
async function untilWebhooksRest(events: number): Promise<void> {
  for (;;) {
    const { rows } = await app.galley.outside.db.text(
      `select count(*)::int as all, (count(*) filter (where state = 'waiting' and due_at <= $1))::int as due
       from webhook_deliveries`,
      [app.clock.now()],
    );
    const { all, due } = rows[0] as { all: number; due: number };
    if (all >= events && due === 0) return;
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

const LATER_MS = 305_000;
const RECIPIENTS = Object.entries(KINDS).flatMap(([kind, { count }]) =>
  Array.from({ length: count }, (_, place) => `${kind}${place}@${kind === 'tls' ? 'tls' : 'world'}.example`),
);
const countOf = (...kinds: string[]): number => kinds.reduce((sum, kind) => sum + KINDS[kind]!.count, 0);
const EVENTS = Object.values(KINDS).reduce((sum, { count, attempts }) => sum + count * attempts.length, 0);
const PERMANENT = countOf('never', 'gone', 'full');

async function send(to: string[]): Promise<void> {
  const letter = { from: `ann@${DOMAIN}`, to, subject: 'Hello', text: 'Hello', 'o:deliver-within': '10m' };
  const { status, body } = await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter });
  assert.equal(status, 200, JSON.stringify(body));
}

/** How an attempt ended, in the words of `KINDS`. */
function wordsOf({ event, severity, reason, 'delivery-status': status }: any): string {
  if (event === 'delivered') return event;
  return severity === 'temporary' ? `temporary ${status.code}` : `permanent ${reason} ${status.code}`;
}

/** Each event of the log, as it was posted: signed, with a token of its own, once, or twice where it was refused. */
async function checkWebhooks(path: string, logged: any[], timesOf: (event: any) => number): Promise<void> {
  const key = (await app.call('GET /v5/accounts/http_signing_key')).body.http_signing_key;
  const isSigned = ({ signature: { timestamp, token, signature } }: Received): boolean =>
    createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex') === signature;
  const posted = receiver.at(path);
  assert.ok(posted.every(isSigned));
  assert.equal(new Set(posted.map(({ signature: { token } }) => token)).size, posted.length);
  const byId = Map.groupBy(posted, ({ event }) => event['id'] as string);
  assert.equal(byId.size, logged.length);
  for (const event of logged) {
    const posts = byId.get(event.id) ?? [];
    assert.equal(posts.length, timesOf(event), `${path} ${event.recipient} ${wordsOf(event)}`);
    for (const post of posts)
      assert.deepEqual([post.event['recipient'], wordsOf(post.event)], [event.recipient, wordsOf(event)]);
  }
}

async function listed(list: string): Promise<string[]> {
  const { body } = await app.call(`GET /v3/${DOMAIN}/${list}?limit=1000`);
  return body.items.map(({ address }: { address: string }) => address).sort();
}

describe('a message to a thousand recipients', () => {
  it('has events that agree with what the server counted', { timeout: 240_000 }, async () => {
    assert.equal(RECIPIENTS.length, 1000);
    await send(RECIPIENTS);
    const left = await untilNothingIsDue();
    assert.equal(left, countOf('once', 'greylisted', 'never', 'closes', 'hangs'));
    app.clock.advance(LATER_MS);
    assert.equal(await untilNothingIsDue(), 0);
    app.clock.advance(3000);

    const found = new Map<string, string[]>();
    const uncertain = new Set<string>();
    for (const item of await allLogs(['delivered', 'failed'])) {
      const { recipient, 'delivery-status': status } = item;
      found.set(recipient, [...(found.get(recipient) ?? []), wordsOf(item)]);
      if (/may have arrived/.test(status.description)) uncertain.add(recipient);
    }
    for (const address of RECIPIENTS) assert.deepEqual(found.get(address), KINDS[kindOf(address)]!.attempts, address);
    assert.equal(found.size, 1000);

    // The server's own count: as often as events say that it took the message, and twice where nobody could know.
    const taken = (address: string): number =>
      said.get(address)?.filter((what) => ['250', 'closes', 'hangs'].includes(what)).length ?? 0;
    for (const address of RECIPIENTS) {
      const delivered = found.get(address)!.filter((what) => what === 'delivered').length;
      assert.equal(taken(address), delivered + (uncertain.has(address) ? 1 : 0), address);
    }
    assert.equal(uncertain.size, countOf('closes', 'hangs'));
    const refusals = RECIPIENTS.flatMap((address) => said.get(address)!.filter((what) => /^[45]/.test(what)));
    assert.equal(refusals.length, countOf('once', 'greylisted', 'gone', 'full') + 2 * countOf('never'));

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

  it('has webhooks that agree with the events, tried again where they were refused', { timeout: 240_000 }, async () => {
    await untilWebhooksRest(EVENTS + PERMANENT);
    app.clock.advance(LATER_MS);
    await untilWebhooksRest(EVENTS + PERMANENT);
    const logged = await allLogs(['delivered', 'failed']);
    assert.equal(logged.length, EVENTS);
    await checkWebhooks(TAKES, logged, ({ recipient }) => (isRefusedOnce(recipient) ? 2 : 1));
    const permanent = logged.filter(({ severity }) => severity === 'permanent');
    assert.equal(permanent.length, PERMANENT);
    await checkWebhooks(WANTS_NONE, permanent, () => 1);
    const { rows } = await app.galley.outside.db.text(
      'select state, count(*)::int as count from webhook_deliveries group by state order by state',
    );
    assert.deepEqual(rows, [
      { state: 'delivered', count: EVENTS },
      { state: 'rejected', count: PERMANENT },
    ]);
  });

  it('leaves those on the list whom the server does not know, and the next one spares them', async () => {
    const unknown = RECIPIENTS.filter((address) => said.get(address)!.includes('550')).sort();
    assert.equal(unknown.length, KINDS['gone']!.count);
    assert.deepEqual(await listed('bounces'), unknown);
    await app.call(`POST /v3/${DOMAIN}/unsubscribes`, { body: { address: 'fine1@world.example' } });
    await app.call(`POST /v3/${DOMAIN}/complaints`, { body: { address: 'fine2@world.example' } });
    const before = new Map([...said].map(([address, all]) => [address, all.length]));
    const spared = new Map([
      ...unknown.map((address): [string, string] => [address, 'permanent suppress-bounce 605']),
      ['fine1@world.example', 'permanent suppress-unsubscribe 606'],
      ['fine2@world.example', 'permanent suppress-complaint 607'],
    ]);
    const fine = Array.from({ length: 10 }, (_, place) => `fine${place}@world.example`);
    const to = [...unknown, ...fine];
    await send(to);
    assert.equal(await untilNothingIsDue(), 0);
    app.clock.advance(3000);
    const again = (await allLogs(['delivered', 'failed'])).slice(EVENTS);
    assert.deepEqual(
      new Map(again.map((item) => [item.recipient, wordsOf(item)])),
      new Map(to.map((address) => [address, spared.get(address) ?? 'delivered'])),
    );
    assert.equal(again.length, to.length);
    const asked = [...said].filter(([address, all]) => all.length > (before.get(address) ?? 0));
    assert.deepEqual(asked.map(([address]) => address).sort(), fine.filter((address) => !spared.has(address)).sort());
    await untilWebhooksRest(EVENTS + PERMANENT + to.length + spared.size);
    app.clock.advance(LATER_MS);
    await untilWebhooksRest(EVENTS + PERMANENT + to.length + spared.size);
    await checkWebhooks(TAKES, [...(await allLogs(['delivered', 'failed']))], ({ recipient }) =>
      isRefusedOnce(recipient) ? 2 : 1,
    );
  });
});
