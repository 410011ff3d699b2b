// Sums of several days: answers are the same before they are made, after, when something comes late, and when a tag is
// forgotten; and they are what answers are read from.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import { gatherFigures } from './gather.ts';
import figures, { forgetTag } from './index.ts';

const METRICS = 'POST /v1/analytics/metrics';
const DOMAIN = 'news.example.com';
const DAY_MS = 86_400_000;
const DAYS = 40;
const PAIRS = [
  [],
  ['domain'],
  ['tag'],
  ['recipient_domain', 'country'],
  ['recipient_domain', 'domain'],
  ['tag', 'domain'],
  ['recipient_provider', 'bot'],
  ['time'],
];

let app: App;
let accountId = '';
let messageId = '';

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
  const { db } = app.galley.outside;
  accountId = ((await db.text('select id from accounts')).rows[0] as { id: string }).id;
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const letter = { from: `ann@${DOMAIN}`, to: 'bob@example.net', subject: 'Hello', text: 'Hello', 'o:tag': 'spring' };
  await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter });
  messageId = ((await db.text('select id::text from sent_messages')).rows[0] as { id: string }).id;
  await db.text('delete from uncounted_events');
  const now = app.clock.now().getTime();
  await take(Array.from({ length: DAYS * 24 }, (_unused, n) => eventOf(n, new Date(now - n * 3_600_000))));
});
after(() => app.close());

function eventOf(n: number, at: Date): NewEvent {
  const isRead = n % 3 === 0;
  return {
    at,
    accountId,
    event: isRead ? 'opened' : 'accepted',
    domain: n % 5 === 0 ? 'shop.example.com' : DOMAIN,
    recipient: `r${n}@host${n % 4}.example`,
    provider: n % 2 === 0 ? 'google' : '',
    messageId,
    about: isRead ? { geolocation: { country: n % 2 === 0 ? 'DE' : 'FR' }, 'client-info': { bot: '' } } : {},
  };
}

async function take(told: readonly NewEvent[]): Promise<void> {
  const { db, events, lists } = app.galley.outside;
  await db.tx((tx) => events.append(tx, told));
  while ((await gatherFigures({ db, events, lists })) > 0);
}

async function answers() {
  const found = [];
  for (const dimensions of PAIRS)
    for (const duration of ['3d', '12d', '30d', '90d']) {
      const body = { duration, resolution: 'day', dimensions, metrics: ['accepted_count', 'opened_count'] };
      const { status, body: answer } = await app.call(METRICS, { body });
      assert.equal(status, 200);
      found.push([dimensions.join(), duration, answer.items]);
    }
  return found;
}

async function makeSpans(): Promise<void> {
  const job = figures.jobs?.find(({ name }) => name === 'figures.span');
  assert.ok(job);
  const signal = new AbortController().signal;
  await job.run(app.galley.outside, {}, { signal, attempt: 1, isLast: true });
}

async function countOf(table: string): Promise<number> {
  const { rows } = await app.galley.outside.db.text(`select count(*)::int as count from ${table}`);
  return (rows[0] as { count: number }).count;
}

describe('sums of several days', () => {
  it('answer as those of each day do', async () => {
    const expected = await answers();
    assert.equal(await countOf('figure_spans'), 0);
    await makeSpans();
    assert.ok((await countOf('figure_spans')) > 100);
    assert.deepEqual(await answers(), expected);
  });

  it('are what is read, in place of their days', async () => {
    const { db } = app.galley.outside;
    const total = async () => {
      const body = { duration: '30d', resolution: 'day', metrics: ['accepted_count'], dimensions: [] };
      return (await app.call(METRICS, { body })).body.items[0].metrics.accepted_count as number;
    };
    const before = await total();
    await db.text(`update figure_spans set accepted = accepted + 1000 where "grouping" = 0`);
    const spans = ((await total()) - before) / 1000;
    // Of 31 days, so many whole spans lie within that are over.
    assert.ok([4, 5, 6].includes(spans), String(spans));
    await db.text(`update figure_spans set accepted = accepted - 1000 where "grouping" = 0`);
    assert.equal(await total(), before);
  });

  it('take in what comes late, at once and when they are made anew', async () => {
    const [, , earlier] = (await answers()).find(([by, duration]) => by === '' && duration === '30d') as any[];
    const at = new Date(app.clock.now().getTime() - 15 * DAY_MS);
    const marks = await countOf('figure_span_marks');
    await take([eventOf(1, at)]);
    const expected = await answers();
    const [, , now] = expected.find(([by, duration]) => by === '' && duration === '30d') as any[];
    assert.equal(now[0].metrics.accepted_count, earlier[0].metrics.accepted_count + 1);
    assert.ok((await countOf('figure_span_marks')) < marks);
    await makeSpans();
    assert.equal(await countOf('figure_span_marks'), marks);
    assert.deepEqual(await answers(), expected);
  });

  it('forget a tag', async () => {
    const { db, lists } = app.galley.outside;
    await db.tx((tx) => forgetTag({ lists }, tx, { accountId, tag: 'spring' }));
    const body = { duration: '30d', dimensions: ['tag'], metrics: ['accepted_count'] };
    assert.deepEqual((await app.call(METRICS, { body })).body.items, []);
    await makeSpans();
    assert.deepEqual((await app.call(METRICS, { body })).body.items, []);
  });

  it('go on beside each other, and beside those who add', async () => {
    const at = new Date(app.clock.now().getTime() - 20 * DAY_MS);
    await Promise.all([makeSpans(), take([eventOf(1, at), eventOf(2, at)]), makeSpans(), take([eventOf(4, at)])]);
    const expected = await answers();
    await makeSpans();
    assert.deepEqual(await answers(), expected);
    await app.galley.outside.db.text('truncate figure_span_marks');
    assert.deepEqual(await answers(), expected);
  });
});
