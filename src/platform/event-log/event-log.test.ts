// The log on a real database: order, pages, conditions, counts, and what is deleted.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestDatabase } from '../../../test/harness/template-database.ts';
import { sql, type Db } from '../db/index.ts';
import { tally } from './tally.ts';
import { openEventLog, type EventLog, type EventPredicate, type LoggedEvent, type NewEvent } from './index.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const HOUR = 3_600_000;
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR);

let db: Db;
let close: () => Promise<void>;
let log: EventLog;
const eventOf = (hours: number, more: Partial<NewEvent> = {}): NewEvent => ({
  at: hoursAgo(hours),
  accountId: 'a',
  event: 'delivered',
  domain: 'news.example.com',
  recipient: `r${hours}@example.net`,
  ...more,
});

before(async () => {
  ({ db, close } = await openTestDatabase());
  log = openEventLog({ db, clock: { now: () => NOW } });
  await db.tx((tx) =>
    log.append(tx, [
      ...Array.from({ length: 60 }, (_, hours) => eventOf(hours + 1)),
      eventOf(2, {
        event: 'failed',
        severity: 'temporary',
        reason: 'generic',
        code: 451,
        recipient: 'Slow@example.org',
      }),
      eventOf(3, {
        event: 'failed',
        severity: 'permanent',
        reason: 'bounce',
        code: 550,
        recipient: 'gone@example.org',
      }),
      eventOf(4, { event: 'clicked', about: { url: 'https://shop.example/Offer', ip: '192.0.2.7' } }),
      eventOf(5, { event: 'accepted', domain: 'shop.example.com', messageId: '17', position: 3 }),
      eventOf(6, { accountId: 'b' }),
    ]),
  );
});
after(() => close());

/** Every event of a query, page by page, also where a page ended early because it took long. */
async function eventsFor(query: Parameters<EventLog['page']>[0]): Promise<LoggedEvent[]> {
  const found: LoggedEvent[] = [];
  for (let { after } = query; ;) {
    const { events, resume } = await log.page({ ...query, after });
    found.push(...events);
    if (!resume) return found;
    after = resume;
  }
}

const all = { accountIds: ['a'], from: hoursAgo(1000), to: NOW, order: 'descending', limit: 1000 } as const;

describe('a page', () => {
  it('has the newest first, or the oldest, and goes on behind any event', async () => {
    for (const order of ['descending', 'ascending'] as const) {
      const { events } = await log.page({ ...all, order });
      assert.equal(events.length, 64);
      const times = events.map(({ at, id }) => at.getTime() * 1000 + Number(id));
      assert.deepEqual(
        times,
        times.toSorted((a, b) => (order === 'descending' ? b - a : a - b)),
      );
      const read = [];
      for (let after = undefined as { at: Date; id: string } | undefined; ; after = read.at(-1)) {
        const page = await log.page({ ...all, order, after, limit: 7 });
        if (page.events.length === 0) break;
        read.push(...page.events);
      }
      assert.deepEqual(read, events);
    }
  });

  it('holds all that was told', async () => {
    const where: EventPredicate = { field: 'code', is: 'in', values: ['550'] };
    const { id, ...event } = (await eventsFor({ ...all, where }))[0]!;
    assert.match(id, /^\d+$/);
    assert.deepEqual(event, {
      at: hoursAgo(3),
      accountId: 'a',
      event: 'failed',
      severity: 'permanent',
      reason: 'bounce',
      domain: 'news.example.com',
      recipient: 'gone@example.org',
      recipientDomain: 'example.org',
      provider: '',
      messageId: null,
      position: null,
      attempt: null,
      code: 550,
      about: null,
    });
  });

  it('is of the accounts that are asked for', async () => {
    assert.equal((await log.page({ ...all, accountIds: ['b'] })).events.length, 1);
    assert.equal((await log.page({ ...all, accountIds: ['a', 'b'] })).events.length, 65);
    assert.equal((await log.page({ ...all, accountIds: [] })).events.length, 0);
  });

  it('ends two seconds ago', async () => {
    await log.append(db, [{ ...eventOf(0, { accountId: 'new' }), at: new Date(NOW.getTime() - 1500) }]);
    const query = { ...all, accountIds: ['new'], to: new Date(NOW.getTime() + HOUR) };
    assert.equal((await log.page(query)).events.length, 0);
    const later = openEventLog({ db, clock: { now: () => new Date(NOW.getTime() + 1000) } });
    assert.equal((await later.page(query)).events.length, 1);
  });

  const conditions: [what: string, where: EventPredicate, count: number][] = [
    ['one kind', { field: 'event', is: 'in', values: ['failed'] }, 2],
    ['two kinds', { field: 'event', is: 'in', values: ['FAILED', 'clicked'] }, 3],
    ['a kind that there is not', { field: 'event', is: 'in', values: ['sneezed'] }, 0],
    ['all but a kind', { not: { field: 'event', is: 'in', values: ['delivered'] } }, 4],
    ['a severity', { field: 'severity', is: 'in', values: ['permanent'] }, 1],
    ['no severity', { not: { field: 'severity', is: 'in', values: ['permanent', 'temporary'] } }, 62],
    ['a domain', { field: 'domain', is: 'in', values: ['SHOP.example.com'] }, 1],
    ['a part of recipients', { field: 'recipient', is: 'contains', values: ['OW@'] }, 1],
    ['a pattern that is text', { field: 'recipient', is: 'contains', values: ['%'] }, 0],
    ['a domain of recipients', { field: 'recipientDomain', is: 'in', values: ['example.org'] }, 2],
    ['a message', { field: 'messageId', is: 'in', values: ['17', 'x', ''] }, 1],
    ['a reason', { field: 'reason', is: 'in', values: ['bounce'] }, 1],
    ['codes from 500', { field: 'code', is: 'above', value: 499 }, 1],
    ['codes below 500', { field: 'code', is: 'below', value: 500 }, 1],
    ['a part of an address', { field: 'url', is: 'contains', values: ['/offer'] }, 1],
    ['an ip', { field: 'ip', is: 'in', values: ['192.0.2.7'] }, 1],
    ['nothing of nothing', { any: [] }, 0],
    ['all of nothing', { all: [] }, 64],
    [
      'either of two',
      {
        any: [
          { field: 'code', is: 'in', values: ['451'] },
          { field: 'event', is: 'in', values: ['accepted'] },
        ],
      },
      2,
    ],
    [
      'both of two',
      {
        all: [
          { field: 'code', is: 'in', values: ['451'] },
          { field: 'event', is: 'in', values: ['accepted'] },
        ],
      },
      0,
    ],
  ];
  for (const [what, where, count] of conditions)
    it(`can be of ${what}`, async () => {
      assert.equal((await eventsFor({ ...all, where })).length, count);
      assert.equal((await eventsFor({ ...all, where, order: 'ascending' })).length, count);
      assert.deepEqual(await log.count({ ...all, where }), { count, isBound: false });
    });
});

describe('counts', () => {
  it('are told by kind', async () => {
    const found = await log.aggregate(all);
    const rows = found.map(({ event, severity, count }) => `${event} ${severity ?? ''} ${count}`).sort();
    assert.deepEqual(rows, ['accepted  1', 'clicked  1', 'delivered  60', 'failed permanent 1', 'failed temporary 1']);
  });
});

describe('groups', () => {
  const day = '2026-10-02';
  const at = (hour: number, over = 0): Date =>
    new Date(Date.parse(`${day}T00:00:00Z`) + hour * HOUR + over * 24 * HOUR);
  const query = { accountIds: ['g', 'h'], from: at(0), to: at(0, 3) };
  const sent = (more: Partial<NewEvent>): NewEvent => ({ ...eventOf(0), accountId: 'g', at: at(1), ...more });
  const envelope = (ip: string) => ({ envelope: { 'sending-ip': ip } });
  const counted = async (by: Parameters<EventLog['tally']>[0]['by'], more = {}) => {
    const { rows, isBound } = await log.tally({ ...query, by, ...more });
    assert.equal(isBound, false);
    return rows.map(({ group, event, count }) => `${Object.values(group).join(' ')}|${event} ${count}`).sort();
  };
  before(async () => {
    const failed = { 'enhanced-code': '5.2.2', 'bounce-type': 'soft', message: '552 5.2.2 The mailbox is full' };
    await log.append(db, [
      sent({ recipient: 'x@gmail.example', messageId: '7', about: envelope('192.0.2.1'), provider: 'google' }),
      sent({ recipient: 'y@gmail.example', messageId: '7', about: envelope('192.0.2.2'), provider: 'google' }),
      sent({ event: 'complained', recipient: 'y@gmail.example', messageId: '7', at: at(2, 1), about: {} }),
      sent({ event: 'complained', recipient: 'y@gmail.example', messageId: '8', at: at(2, 1), about: {} }),
      sent({
        event: 'failed',
        severity: 'permanent',
        reason: 'bounce',
        code: 552,
        accountId: 'h',
        domain: 'shop.example.com',
        about: { 'delivery-status': failed, ...envelope('192.0.2.1') },
      }),
      sent({ accountId: 'other' }),
    ]);
  });

  it('are none: all events of the accounts', async () =>
    assert.deepEqual(await counted([]), ['|complained 2', '|delivered 2', '|failed 1']));
  it('are of a day, an account, a domain and a provider', async () => {
    assert.deepEqual(await counted(['day', 'account']), [
      '2026-10-02 g|delivered 2',
      '2026-10-02 h|failed 1',
      '2026-10-03 g|complained 2',
    ]);
    assert.deepEqual(await counted(['domain', 'provider'], { accountIds: ['g'] }), [
      'news.example.com google|delivered 2',
      'news.example.com |complained 2',
    ]);
  });
  it('are of the address that delivered, for what came later, too', async () =>
    assert.deepEqual(await counted(['sendingIp']), [
      '192.0.2.1|delivered 1',
      '192.0.2.1|failed 1',
      '192.0.2.2|complained 1',
      '192.0.2.2|delivered 1',
      '|complained 1',
    ]));
  it('say what the receiver said', async () => {
    const where: EventPredicate = { field: 'event', is: 'in', values: ['failed'] };
    assert.deepEqual((await log.tally({ ...query, by: [], where })).rows, [
      {
        group: {},
        event: 'failed',
        severity: 'permanent',
        reason: 'bounce',
        code: 552,
        enhancedCode: '5.2.2',
        bounceType: 'soft',
        isMatch: false,
        count: 1,
      },
    ]);
  });
  it('tell apart what the receiver said by a pattern', async () => {
    const where: EventPredicate = { field: 'event', is: 'in', values: ['failed'] };
    for (const [replyPattern, isMatch] of [
      [String.raw`(?:quota)|(?:mailbox is FULL\M)`, true],
      ['reputation', false],
    ] as const)
      assert.deepEqual(
        (await log.tally({ ...query, by: ['sendingIp'], where, replyPattern })).rows.map((row) => row.isMatch),
        [isMatch],
      );
  });
  it('of a day are counted up to a bound, and say so', async () => {
    const { rows, isBound } = await tally(db, { ...query, by: [] }, 2);
    assert.deepEqual(
      [isBound, rows.filter(({ event }) => event === 'delivered').map(({ count }) => count)],
      [true, [2]],
    );
  });
  it('are read from an index alone, but for the rows of what failed, or of addresses', async () => {
    await db.text('vacuum analyze events');
    const plans: string[] = [];
    await db.tx(async (tx) => {
      await tx.text('set local enable_seqscan = off');
      await tx.text('set local enable_bitmapscan = off');
      const explaining = {
        ...db,
        rows: async (asked: Parameters<Db['rows']>[0]) => {
          plans.push(JSON.stringify(await tx.rows(sql`explain ${asked}`)));
          return [];
        },
      } as Db;
      const oneDay = { ...query, to: at(23) };
      for (const by of [['domain'], ['sendingIp']] as const) await tally(explaining, { ...oneDay, by }, 100);
    });
    assert.equal(plans.length, 3);
    for (const plan of plans) assert.match(plan, /Index Only Scan using events_20261002/);
    assert.doesNotMatch(plans[1]!, /Index Scan/);
    assert.match(plans[0]!, /Index Scan using events_20261002_pkey/);
    assert.match(plans[2]!, /Index Scan using events_\d+_account_id_recipient/);
  });
});

describe('what is too old', () => {
  it('goes: of one account, and by whole days of everybody', async () => {
    await log.append(db, [eventOf(5 * 24, { accountId: 'old' }), eventOf(24, { accountId: 'old' })]);
    const old = { ...all, accountIds: ['old'] };
    await log.prune(hoursAgo(48), 'old');
    assert.equal((await log.count(old)).count, 1);
    assert.equal((await log.count(all)).count, 64);
    await log.prune(new Date('2026-11-21T18:00:00Z'));
    const left = (await log.page(all)).events;
    assert.ok(left.length > 0 && left.every(({ at }) => at >= new Date('2026-11-21T00:00:00Z')));
    assert.ok(
      left.some(({ at }) => at < new Date('2026-11-21T18:00:00Z')),
      'the day itself stays',
    );
    await log.append(db, [eventOf(40, { accountId: 'late' })]);
    assert.equal((await log.count({ ...all, accountIds: ['late'] })).count, 1);
  });
});

describe('the first events of a day', () => {
  it('find their place, though several processes make it at once', async () => {
    for (let day = 1; day <= 5; day += 1) {
      const first = { ...eventOf(0, { accountId: 'first' }), at: new Date(Date.UTC(2026, 1, day)) };
      // Each process has a log of its own, which has not seen the day.
      const logs = Array.from({ length: 8 }, () => openEventLog({ db, clock: { now: () => NOW } }));
      await Promise.all(logs.map((one) => db.tx((tx) => one.append(tx, [first]))));
    }
    assert.equal((await log.count({ ...all, from: new Date(0), accountIds: ['first'] })).count, 40);
  });
});

describe('a transaction that fails', () => {
  it('leaves no event, and no day without its place', async () => {
    const far = { ...eventOf(0, { accountId: 'far' }), at: new Date('2026-01-01T00:00:00Z') };
    await assert.rejects(
      db.tx(async (tx) => {
        await log.append(tx, [far]);
        throw new Error('no');
      }),
    );
    await log.append(db, [far]);
    assert.equal((await log.count({ ...all, from: new Date(0), accountIds: ['far'] })).count, 1);
  });
});
