// 100,000 events of thirty days, counted a second time by hand: figures agree to the unit, by each dimension and in
// pairs, whoever gathered them and however often gathering was cut off.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startApp, type Answer, type App } from '../../../../test/harness/start-app.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import { gatherFigures } from './gather.ts';

const DOMAIN = 'news.example.com';
const METRICS = 'POST /v1/analytics/metrics';
/** Six hours: as many events of an hour as where much is sent. */
const SPACE_MS = 21_600_000;
const COUNT = 100_000;

let app: App;
let accountId = '';
let subaccount = '';
let headers = {};
/** With the tags of each. */
const messages: { id: string; tags: string[] }[] = [];

interface Told extends NewEvent {
  tags: string[];
  ip: string;
  country: string;
  device: string;
  bot: string;
}
const told: Told[] = [];

/** The same numbers each time: a small generator (Lehmer). */
let seed = 20_261_123;
const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

const RECIPIENTS = ['gmail.example', 'yahoo.example', 'post.example', 'firm.example'];
const KINDS = ['accepted', 'accepted', 'delivered', 'delivered', 'failed', 'opened', 'clicked', 'complained'] as const;
const FAILURES = [
  ['temporary', 'generic'],
  ['temporary', 'espblock'],
  ['permanent', 'bounce'],
  ['permanent', 'suppress-bounce'],
  ['permanent', 'old'],
] as const;

function eventAt(at: Date): Told {
  const message = random() < 0.1 ? undefined : pick(messages);
  const event = pick(KINDS);
  const [severity, reason] = pick(FAILURES);
  const ip = event === 'delivered' ? pick(['192.0.2.1', '192.0.2.2']) : '';
  const isRead = event === 'opened' || event === 'clicked';
  const country = isRead ? pick(['DE', 'FR', 'US']) : '';
  const device = isRead ? pick(['desktop', 'mobile']) : '';
  const bot = isRead ? pick(['', '', 'apple']) : '';
  const attempt = event === 'delivered' ? pick([1, 1, 2]) : undefined;
  return {
    at,
    accountId: random() < 0.2 ? subaccount : accountId,
    event,
    ...(event === 'failed' && { severity, reason }),
    ...(attempt !== undefined && { attempt }),
    domain: pick([DOMAIN, 'shop.example.com']),
    // Events after a delivery have no other of the same message and recipient that says more.
    recipient: `r${Math.floor(random() * 1e9)}@${pick(RECIPIENTS)}`,
    provider: pick(['google', 'yahoo', '']),
    ...(message && { messageId: message.id }),
    about: {
      ...(ip !== '' && { envelope: { 'sending-ip': ip, 'i-ip-pool-id': `pool of ${ip}` } }),
      ...(isRead && { geolocation: { country }, 'client-info': { 'device-type': device, bot } }),
    },
    tags: message?.tags ?? [],
    ip,
    country,
    device,
    bot,
  };
}

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { outside } = app.galley;
  accountId = ((await outside.db.text('select id from accounts')).rows[0] as { id: string }).id;
  subaccount = (await app.call('POST /v5/accounts/subaccounts?name=Second')).body.subaccount.id;
  headers = { 'X-Mailgun-On-Behalf-Of': subaccount };
  for (const tags of [['Spring'], ['spring', 'news'], ['news'], []]) {
    const letter = { from: 'ann@news.example.com', to: 'bob@example.net', subject: 'Hello', text: 'Hello' };
    await app.call(`POST /v3/${DOMAIN}/messages`, { body: { ...letter, 'o:tag': tags } });
  }
  const { rows } = await outside.db.text('select id::text, tags from sent_messages order by id');
  messages.push(...(rows as { id: string; tags: string[] }[]));
  // What sending them told is not part of the count.
  await outside.db.text('delete from uncounted_events');
  const last = outside.clock.now().getTime() - 60_000;
  // Late ones and young ones in one disorder.
  for (let n = 0; n < COUNT; n++) told.push(eventAt(new Date(last - Math.floor(random() * 29 * 4) * SPACE_MS)));
  for (let from = 0; from < COUNT; from += 1000) {
    const append = (): Promise<void> => outside.db.tx((tx) => outside.events.append(tx, told.slice(from, from + 1000)));
    // On a busy machine the embedded database may be not available for a moment: then nothing was written.
    for (const end = Date.now() + 90_000; ;) {
      const error = await append().catch((fault: unknown) => fault);
      if (error === undefined) break;
      if ((error as { code?: string }).code !== 'unavailable' || Date.now() > end) throw error;
      await pause(100);
    }
  }
});
after(() => app.close());

/** Once more while the embedded database, on a busy machine, says that it is not available at the moment. */
async function patiently(call: () => Promise<Answer>): Promise<Answer> {
  for (const end = Date.now() + 90_000; ;) {
    const answer = await call();
    if (answer.status !== 503 || Date.now() > end) return answer;
  }
}

/** Until nothing is left; a process of the role `send` goes on so after a fault, too. */
async function gather(): Promise<void> {
  const { db, events, lists } = app.galley.outside;
  for (const end = Date.now() + 300_000; ;) {
    const count = await gatherFigures({ db, events, lists }).catch(async (error: unknown) => {
      if (Date.now() > end) throw error;
      // Refused at once, again and again, this loop would leave the process no time to see that the database is back.
      await pause(100);
      return 1;
    });
    if (count === 0) return;
  }
}

const keyed: Record<string, (event: Told) => string[]> = {
  time: ({ at }) => [`${at.toISOString().slice(0, 10)}T00:00:00.000Z`],
  domain: ({ domain }) => [domain],
  tag: ({ tags }) => [...new Set(tags.map((tag) => tag.toLowerCase()))],
  recipient_provider: ({ provider = '' }) => [provider],
  recipient_domain: ({ recipient }) => [recipient.split('@')[1]!],
  ip: ({ ip }) => [ip],
  ip_pool: ({ ip }) => [ip === '' ? '' : `pool of ${ip}`],
  country: ({ country }) => [country],
  device: ({ device }) => [device],
  bot: ({ bot }) => [bot],
  subaccount: (event) => [event.accountId],
};
const DIMENSIONS = Object.keys(keyed);

const COUNTED: Record<string, (event: Told) => boolean> = {
  accepted_count: ({ event }) => event === 'accepted',
  delivered_count: ({ event }) => event === 'delivered',
  delivered_first_attempt_count: ({ event, attempt }) => event === 'delivered' && attempt === 1,
  failed_count: ({ event }) => event === 'failed',
  temporary_failed_count: ({ severity }) => severity === 'temporary',
  temporary_failed_esp_block_count: ({ severity, reason }) => severity === 'temporary' && reason === 'espblock',
  permanent_failed_count: ({ severity }) => severity === 'permanent',
  hard_bounces_count: ({ reason }) => reason === 'bounce',
  bounced_count: ({ severity, reason }) => severity === 'permanent' && reason !== 'suppress-bounce',
  opened_count: ({ event }) => event === 'opened',
  unique_opened_count: ({ event, bot, messageId }) => event === 'opened' && bot === '' && messageId !== undefined,
  clicked_count: ({ event }) => event === 'clicked',
  complained_count: ({ event }) => event === 'complained',
};
const metrics = Object.keys(COUNTED);

/** The count by hand, in the form of an answer. */
function countOf(by: readonly string[], events: readonly Told[] = told): Map<string, Record<string, number>> {
  const found = new Map<string, Record<string, number>>();
  for (const event of events) {
    const keys = by.reduce<string[][]>(
      (all, name) => all.flatMap((key) => keyed[name]!(event).map((value) => [...key, value])),
      [[]],
    );
    for (const key of keys.map((one) => JSON.stringify(one))) {
      const counts = found.get(key) ?? Object.fromEntries(metrics.map((name) => [name, 0]));
      for (const name of metrics) if (COUNTED[name]!(event)) counts[name]! += 1;
      found.set(key, counts);
    }
  }
  return found;
}

async function asked(by: readonly string[], more: object = {}) {
  const found = new Map<string, Record<string, number>>();
  for (let skip = 0; ; skip += 1000) {
    const query = { duration: '30d', dimensions: by, metrics, include_subaccounts: true, ...more };
    const { status, body } = await patiently(() =>
      app.call(METRICS, { body: { ...query, pagination: { skip, limit: 1000 } } }),
    );
    assert.equal(status, 200, JSON.stringify(body));
    for (const item of body.items) {
      const key = item.dimensions.map(({ dimension, value }: any) =>
        dimension === 'time' ? new Date(value).toISOString() : value,
      );
      found.set(JSON.stringify(key), item.metrics);
    }
    if (skip + 1000 >= body.pagination.total) return found;
  }
}

const ordered = (map: Map<string, unknown>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
const happened = (map: Map<string, Record<string, number>>) =>
  new Map([...map].filter(([, counts]) => Object.values(counts).some((count) => count > 0)));

describe('figures', () => {
  it('hold each event once, whoever gathers, and whatever ends before it is through', async () => {
    const { outside } = app.galley;
    for (let n = 0; n < 3; n++)
      await assert.rejects(
        outside.db.tx(async (tx) => {
          assert.ok((await outside.events.takeUncounted(tx, 1000)).length >= 1000);
          throw new Error('cut off');
        }),
        /cut off/,
      );
    await Promise.all([gather(), gather(), gather()]);
    // Another took what was left when these looked.
    await gather();
    assert.deepEqual(ordered(await asked([])), ordered(countOf([])));
  });

  for (const name of DIMENSIONS)
    it(`agree with a count by hand, by ${name}`, async () => {
      assert.deepEqual(ordered(happened(await asked([name]))), ordered(happened(countOf([name]))));
    });

  it('agree in pairs, but for the one that is refused', async () => {
    for (const [place, one] of DIMENSIONS.entries())
      for (const other of DIMENSIONS.slice(place + 1)) {
        if ([one, other].includes('tag') && [one, other].includes('recipient_domain')) continue;
        const pair = [one, other];
        assert.deepEqual(ordered(happened(await asked(pair))), ordered(happened(countOf(pair))), pair.join());
      }
    const { status, body } = await app.call(METRICS, { body: { dimensions: ['tag', 'recipient_domain'] } });
    assert.deepEqual(
      [status, body],
      [
        400,
        { message: 'dimensions cannot be told apart by tag and by recipient_domain at once; ask for one of them.' },
      ],
    );
  });

  it('agree under conditions, by the hour, too', async () => {
    const AND = [
      { attribute: 'domain', comparator: '=', values: [{ value: DOMAIN.toUpperCase() }] },
      { attribute: 'recipient_provider', comparator: '!=', values: [{ value: 'google' }, { value: 'other' }] },
      { attribute: 'tag', comparator: 'contains', values: [{ value: 'PRIN' }] },
    ];
    const met = told.filter(
      ({ domain, provider, tags }) =>
        domain === DOMAIN && provider !== 'google' && tags.some((tag) => tag.toLowerCase() === 'spring'),
    );
    const by = ['country', 'device'];
    for (const resolution of ['hour', 'day', 'month'])
      assert.deepEqual(
        ordered(happened(await asked(by, { resolution, filter: { AND } }))),
        ordered(happened(countOf(by, met))),
      );
  });

  it('take in what comes late', async () => {
    const late = eventAt(new Date(told[0]!.at.getTime()));
    told.push(late);
    const { outside } = app.galley;
    await outside.db.tx((tx) => outside.events.append(tx, [late]));
    await gather();
    assert.deepEqual(ordered(happened(await asked(['time']))), ordered(happened(countOf(['time']))));
  });

  it('are of the account alone, and end with it', async () => {
    const own = { include_subaccounts: false };
    const [theirs] = [...(await asked([], own)).values()];
    assert.deepEqual(
      [theirs],
      [
        ...countOf(
          [],
          told.filter((event) => event.accountId === accountId),
        ).values(),
      ],
    );
    const { body } = await app.call(METRICS, { headers, body: { duration: '30d', metrics } });
    assert.deepEqual(
      body.items.map((item: any) => item.metrics),
      [
        ...countOf(
          [],
          told.filter((event) => event.accountId === subaccount),
        ).values(),
      ],
    );
    await app.call('DELETE /v5/accounts/subaccounts', { headers });
    await app.idle();
    for (const table of ['figure_hours', 'figure_days', 'figure_firsts', 'tags']) {
      const left = `select account_id from ${table} where account_id = '${subaccount}'`;
      assert.deepEqual((await app.galley.outside.db.text(left)).rows, [], table);
    }
  });
});
