// The log in ClickHouse: every query answers as PostgreSQL's does, row by row; and each event arrives once, whatever ends
// in between.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { clickHouseAbsence, startClickHouse, type ClickHouseServer } from '../../../../test/harness/clickhouse.ts';
import { openTestDatabase } from '../../../../test/harness/template-database.ts';
import type { Db } from '../../db/index.ts';
import { openEventLog, type EventLog, type EventPredicate, type NewEvent } from '../index.ts';

const NOW = new Date('2026-11-22T12:00:00.500Z');
const HOUR = 3_600_000;
const COUNT = 6000;
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR);
let now = NOW;
const clock = { now: () => now };

let db: Db;
let server: ClickHouseServer;
let beside: EventLog;
let log: EventLog;
const closers: (() => Promise<unknown>)[] = [];

/** The same numbers each time: a small generator (Lehmer). */
let seed = 20_261_123;
const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

const KINDS = ['accepted', 'delivered', 'delivered', 'failed', 'opened', 'clicked', 'complained', 'stored'] as const;
const REPLIES = ['552 5.2.2 The mailbox is full', '550 5.7.1 Blocked: “quota”\nsee https://x.example/?a=1', ''];

function eventAt(at: Date): NewEvent {
  const event = pick(KINDS);
  const number = Math.floor(random() * 40);
  // Of two deliveries of one message at the same moment neither is the last: both say the same.
  const isSent = event === 'delivered' && number % 9 > 0;
  const ip = `192.0.2.${1 + ((number + at.getTime() / HOUR) & 1)}`;
  const failure = { 'enhanced-code': pick(['5.2.2', '5.7.1']), 'bounce-type': 'soft', message: pick(REPLIES) };
  return {
    at,
    accountId: pick(['a', 'a', 'b', "o'brien \\ “ö”"]),
    event,
    ...(event === 'failed' && {
      severity: pick(['temporary', 'permanent'] as const),
      reason: pick(['bounce', 'generic', 'old']),
      code: pick([421, 550, 552]),
    }),
    domain: pick(['news.example.com', 'shop.example.com']),
    recipient: `r${number}@${pick(['example.net', 'münchen.example', '100%_\\.example'])}`,
    provider: pick(['google', 'yahoo', '']),
    ...(random() < 0.8 && { messageId: String(number), position: number, attempt: 1 + (number % 3) }),
    ...((event === 'delivered' || random() < 0.95) && {
      about: {
        ...(isSent && { envelope: { 'sending-ip': ip, 'i-ip-pool-id': `pool of ${ip}`, sender: 'x@example.com' } }),
        ...(event === 'failed' && { 'delivery-status': failure }),
        ...((event === 'opened' || event === 'clicked') && {
          url: pick(['https://shop.example/Offer?x=%41&y="', 'https://shop.example/']),
          ip: '2001:DB8::1',
          geolocation: { country: pick(['DE', 'FR']) },
          'client-info': { 'device-type': pick(['desktop', 'mobile']), bot: pick(['', 'apple']) },
          'is-unique': random() < 0.5,
        }),
      },
    }),
  };
}

/** Until nothing waits. */
async function sendAll(): Promise<void> {
  while ((await log.send()) > 0);
}

async function append(events: readonly NewEvent[], to = log): Promise<void> {
  for (let from = 0; from < events.length; from += 500)
    await db.tx((tx) => to.append(tx, events.slice(from, from + 500)));
}

const countThere = async (where = 'true'): Promise<number> =>
  Number((await server.query(`select count() as n from events where ${where}`))[0].n);

before(async () => {
  if (clickHouseAbsence !== undefined) return;
  const opened = await openTestDatabase();
  ({ db } = opened);
  server = await startClickHouse();
  beside = openEventLog({ db, clock });
  log = openEventLog({ db, clock, clickHouseUrl: server.url });
  closers.push(
    () => log.close(),
    opened.close,
    () => server.close(),
  );
  // Of 25 days, so that they are of two months; several are of the same moment. The first were there before ClickHouse.
  const events = Array.from({ length: COUNT }, () => eventAt(hoursAgo(1 + Math.floor(random() * 600))));
  await append(events.slice(0, 2000), beside);
  await append(events.slice(2000));
  await sendAll();
});
after(async () => {
  for (const close of closers) await close();
});

const all = { accountIds: ['a', 'b'], from: hoursAgo(1000), to: NOW, order: 'descending', limit: 1000 } as const;
const strange = { ...all, accountIds: ["o'brien \\ “ö”"] };

const CONDITIONS: EventPredicate[] = [
  { field: 'event', is: 'in', values: ['FAILED', 'clicked', 'sneezed'] },
  { field: 'event', is: 'in', values: [] },
  { field: 'severity', is: 'in', values: ['permanent'] },
  { not: { field: 'severity', is: 'in', values: ['permanent', 'temporary'] } },
  { field: 'domain', is: 'in', values: ['SHOP.example.com'] },
  { field: 'provider', is: 'in', values: [''] },
  { not: { field: 'provider', is: 'contains', values: ['OO'] } },
  { field: 'recipient', is: 'contains', values: ['R1', '@münchen'] },
  { field: 'recipient', is: 'contains', values: ['%_\\'] },
  { field: 'recipientDomain', is: 'in', values: ['MÜNCHEN.example', '100%_\\.example'] },
  { field: 'messageId', is: 'in', values: ['17', '3', 'x', ''] },
  { field: 'messageId', is: 'contains', values: ['1'] },
  { not: { field: 'messageId', is: 'in', values: ['17'] } },
  { field: 'reason', is: 'in', values: ['bounce', 'old'] },
  { not: { field: 'reason', is: 'in', values: ['bounce'] } },
  { field: 'code', is: 'above', value: 549.5 },
  { field: 'code', is: 'below', value: 550 },
  { not: { field: 'attempt', is: 'above', value: 1 } },
  { field: 'url', is: 'contains', values: ['/offer?X=%41&y="'] },
  { not: { field: 'url', is: 'in', values: ['https://shop.example/'] } },
  { field: 'ip', is: 'in', values: ['2001:db8::1'] },
  { field: 'country', is: 'in', values: ['de'] },
  { not: { field: 'device', is: 'in', values: ['mobile'] } },
  { field: 'bot', is: 'in', values: [''] },
  { field: 'isUnique', is: 'in', values: ['true'] },
  { any: [] },
  { all: [] },
  {
    all: [
      {
        any: [
          { field: 'event', is: 'in', values: ['opened'] },
          { field: 'code', is: 'in', values: ['550'] },
        ],
      },
      {
        not: {
          all: [
            { field: 'domain', is: 'in', values: ['shop.example.com'] },
            { field: 'bot', is: 'in', values: ['apple'] },
          ],
        },
      },
    ],
  },
];

describe('the log in ClickHouse', { skip: clickHouseAbsence ?? false }, () => {
  it('has every event once, also those that were written before it', async () =>
    assert.equal(await countThere(), COUNT));

  for (const order of ['descending', 'ascending'] as const)
    it(`has the same pages, ${order}, and goes on behind any event`, async () => {
      for (const query of [
        { ...all, order },
        { ...strange, order },
        { ...all, order, accountIds: [] },
      ]) {
        let count = 0;
        for (let after = undefined as { at: Date; id: string } | undefined; ;) {
          const [page, expected] = [await log.page({ ...query, after }), await beside.page({ ...query, after })];
          assert.deepEqual(page.events, expected.events);
          count += page.events.length;
          after = page.events.at(-1);
          if (!after) break;
        }
        assert.ok(query.accountIds.length === 0 || count > 1000);
      }
    });

  for (const [place, where] of CONDITIONS.entries())
    it(`meets condition ${place + 1} alike: ${JSON.stringify(where)}`, async () => {
      for (const query of [all, strange]) {
        // PostgreSQL's page ends early where it takes long.
        const expected = [];
        for (let after; ;) {
          const page = await beside.page({ ...query, where, after, limit: 1000 - expected.length });
          expected.push(...page.events);
          if (!page.resume) break;
          after = page.resume;
        }
        assert.deepEqual((await log.page({ ...query, where })).events, expected);
        assert.deepEqual(await log.count({ ...query, where }), await beside.count({ ...query, where }));
        const byKind = (found: Awaited<ReturnType<EventLog['aggregate']>>) =>
          found.map((row) => JSON.stringify(row)).sort();
        assert.deepEqual(
          byKind(await log.aggregate({ ...query, where })),
          byKind(await beside.aggregate({ ...query, where })),
        );
      }
    });

  it('finds events by their places', async () => {
    const { events } = await beside.page({ ...all, limit: 50 });
    const found = await log.find('a', events);
    const sorted = (list: readonly { id: string }[]) => list.toSorted((a, b) => Number(a.id) - Number(b.id));
    assert.deepEqual(sorted(found), sorted(events.filter(({ accountId }) => accountId === 'a')));
    assert.deepEqual(await log.find('b', []), []);
  });

  for (const by of [
    [],
    ['day', 'account'],
    ['domain', 'provider'],
    ['sendingIp'],
    ['ipPool', 'day', 'domain'],
  ] as const)
    it(`counts groups alike, by ${by.join(', ') || 'nothing'}`, async () => {
      for (const more of [{}, { replyPattern: String.raw`(?:QUOTA)|(?:mailbox is full\M)` }]) {
        const query = { ...all, accountIds: [...all.accountIds, ...strange.accountIds], by: [...by], ...more };
        const [found, expected] = [await log.tally(query), await beside.tally(query)];
        const listed = ({ rows }: typeof found) =>
          rows
            .map(({ group, ...row }) => JSON.stringify([Object.entries(group).sort(), Object.entries(row).sort()]))
            .sort();
        assert.deepEqual(listed(found), listed(expected));
        assert.equal(found.isBound, false);
      }
    });

  it('ends a page where an event may still be on its way', async () => {
    const [account, from] = ['waiting', hoursAgo(3)];
    now = new Date(NOW.getTime() + HOUR);
    const query = { ...all, accountIds: [account], from, to: new Date(now.getTime() + HOUR) };
    await append([{ ...eventAt(new Date(now.getTime() - 10_000)), accountId: account }]);
    // It waits; one that another process wrote after it is there already.
    assert.deepEqual((await log.page(query)).events, []);
    now = new Date(now.getTime() + HOUR);
    assert.deepEqual((await log.page(query)).events, []);
    await sendAll();
    assert.equal((await log.page(query)).events.length, 1);
  });

  it('has each event once where the answer to a batch was lost', async () => {
    const before = await countThere();
    await append(Array.from({ length: 700 }, () => eventAt(hoursAgo(1))));
    server.loseAnswer();
    await assert.rejects(log.send(), { code: 'unavailable' });
    assert.equal(await countThere(), before + 700);
    // Others join no batch that was begun.
    await append(Array.from({ length: 300 }, () => eventAt(hoursAgo(1))));
    await sendAll();
    assert.equal(await countThere(), before + 1000);
  });

  it('has each event once where several processes send', async () => {
    const before = await countThere();
    await append(Array.from({ length: 4000 }, () => eventAt(hoursAgo(2))));
    const logs = Array.from({ length: 4 }, () => openEventLog({ db, clock, clickHouseUrl: server.url }));
    await Promise.all(
      logs.map(async (one) => {
        while ((await one.send()) > 0);
        await one.close();
      }),
    );
    await sendAll();
    assert.equal(await countThere(), before + 4000);
  });

  it('takes events while nobody answers, says so to who reads, and has them afterwards', async () => {
    const before = await countThere();
    await server.stop();
    await append([{ ...eventAt(hoursAgo(1)), accountId: 'outage' }]);
    await assert.rejects(log.page(all), {
      code: 'unavailable',
      message: /^The log of events is not available at the moment: ClickHouse refuses connections\./,
    });
    await assert.rejects(log.send(), { code: 'unavailable' });
    await server.start();
    await sendAll();
    assert.equal(await countThere(), before + 1);
    assert.equal((await log.page({ ...all, accountIds: ['outage'], to: now })).events.length, 1);
  });

  it('forgets what is too old: of one account, and whole days; PostgreSQL keeps twelve days', async () => {
    await log.prune(hoursAgo(100), 'a');
    assert.deepEqual((await log.page({ ...all, accountIds: ['a'], to: hoursAgo(100) })).events, []);
    assert.ok((await log.page({ ...all, accountIds: ['b'], to: hoursAgo(100) })).events.length > 100);
    await log.prune(hoursAgo(480));
    assert.equal(await countThere(`at < '2026-11-02 00:00:00'`), 0);
    assert.ok((await countThere(`at < '2026-11-03 00:00:00'`)) > 0);
    const [first] = (await beside.page({ ...all, order: 'ascending', limit: 1 })).events;
    // Twelve days before this hour's now is the eleventh of November.
    assert.ok(first!.at >= new Date('2026-11-11T00:00:00Z') && first!.at < new Date('2026-11-12T00:00:00Z'));
  });
});
