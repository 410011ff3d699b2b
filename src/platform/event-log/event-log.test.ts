// The log on a real database: order, pages, conditions, counts, and what is deleted.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestDatabase } from '../../../test/harness/template-database.ts';
import type { Db } from '../db/index.ts';
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
