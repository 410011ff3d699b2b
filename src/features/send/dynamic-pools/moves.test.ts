// Domains that move between dynamic pools over simulated weeks: what they sent stands in the log of events, and the
// checks are those that a worker runs.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import { addDomain, addIps, ALL, firstAccount, FREE, succeed } from './bed.fixture.ts';
import { checkDue } from './check.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PER_DAY = 1000;

let app: App;
let accountId: string;

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_EVENT_RETENTION_DAYS: '60' });
  accountId = await firstAccount(app);
  await addIps(app, accountId);
  await succeed(app, 'POST /v3/dynamic_pools/all', { body: ALL });
});
after(() => app.close());

interface Sent {
  count?: number;
  bounced?: number;
  complained?: number;
}

let serial = 0;

/** What a domain sent in the last hour. */
function eventsOf(domain: string, { count = PER_DAY, bounced = 0, complained = 0 }: Sent): NewEvent[] {
  const at = new Date(app.clock.now().getTime() - HOUR);
  const events: NewEvent[] = [];
  for (let place = 0; place < count; place += 1) {
    serial += 1;
    const shared = { at, accountId, domain, recipient: `r${serial}@example.net`, messageId: String(serial) };
    if (place < bounced) {
      const about = { 'delivery-status': { code: 550, 'enhanced-code': '5.1.1', 'bounce-type': 'hard' } };
      events.push({ ...shared, event: 'failed', severity: 'permanent', reason: 'bounce', code: 550, about });
    } else events.push({ ...shared, event: 'delivered', code: 250 });
    if (place >= bounced && place < bounced + complained) events.push({ ...shared, event: 'complained' });
  }
  return events;
}

/** A day passes, in which domains send, and then they are checked. */
async function pass(sent: Readonly<Record<string, Sent>>): Promise<void> {
  const { db, events } = app.galley.outside;
  app.clock.advance(DAY);
  for (const [domain, one] of Object.entries(sent)) await db.tx((tx) => events.append(tx, eventsOf(domain, one)));
  await checkDue(app.galley.outside, accountId);
}

const stateOf = async (name: string): Promise<any> =>
  (await succeed(app, 'GET /v1/dynamic_pools/domains?limit=100')).items.find((one: any) => one.name === name);
const poolOf = async (name: string): Promise<string> => (await stateOf(name)).pool;
const previewOf = (name: string) => succeed(app, `GET /v1/dynamic_pools/domains/${name}/preview`);
/** The oldest first. */
const historyOf = async (name: string): Promise<any[]> =>
  (await succeed(app, `GET /v1/dynamic_pools/domains/${name}/history`)).items.toReversed();

async function enrolled(name: string): Promise<void> {
  await addDomain(app, name);
  await succeed(app, `POST /v3/domains/${name}/dynamic_pools?replacement_ip=${FREE}`);
}

describe('domains in dynamic pools', () => {
  it('become good after some days, poor at once, and good again when all that is over', async () => {
    const name = 'month.example.com';
    await enrolled(name);
    const pools: string[] = [];
    for (let day = 1; day <= 18; day += 1) {
      // On the sixth day a bought list is written to.
      await pass({ [name]: day === 6 ? { bounced: 400 } : { complained: 0 } });
      pools.push(`${day} ${(await poolOf(name)).replace('dynamic_', '')}`);
    }
    assert.deepEqual(pools, [
      '1 new',
      '2 new',
      '3 good',
      '4 good',
      '5 good',
      '6 poor',
      '7 poor',
      '8 poor',
      '9 poor',
      '10 poor',
      '11 poor',
      '12 poor',
      '13 good',
      '14 good',
      '15 good',
      '16 good',
      '17 good',
      '18 good',
    ]);
    const moves = await historyOf(name);
    assert.deepEqual(
      moves.map(({ prev_band: from, new_band: to, processed_count: count, initiated_by: by }) => [from, to, count, by]),
      [
        ['', 'dynamic_new', 0, moves[0].initiated_by],
        ['dynamic_new', 'dynamic_good', 3000, 'health check'],
        ['dynamic_good', 'dynamic_poor', 6000, 'health check'],
        ['dynamic_poor', 'dynamic_good', 7000, 'health check'],
      ],
    );
    assert.equal(
      moves[2].reason,
      'Hard bounces 6.7 % (400 of 6,000 sent) in 7 days; Amazon SES reviews senders from 5 % on.',
    );
    assert.deepEqual([moves[2].bounce_rate, moves[2].complaint_rate], [400 / 6000, 0]);
    assert.match(
      moves[3].reason,
      /^Complaints 0 % \(0 of 7,000 delivered\), Hard bounces 0 % .* below 0\.1 % and 2 %\.$/,
    );
  });

  it('become poor by complaints, of which the history names the rate', async () => {
    const name = 'complaints.example.com';
    await enrolled(name);
    for (let day = 0; day < 3; day += 1) await pass({ [name]: {} });
    assert.equal(await poolOf(name), 'dynamic_good');
    await pass({ [name]: { complained: 14 } });
    const state = await stateOf(name);
    assert.deepEqual([state.pool, state.complaint_rate, state.processed_count], ['dynamic_poor', 14 / 4000, 4000]);
    assert.match(
      (await historyOf(name)).at(-1).reason,
      /^Complaints 0\.35 % \(14 of 4,000 delivered\) in 7 days; Google and Yahoo/,
    );
  });

  it('stay where they are with few messages, and say so', async () => {
    const name = 'small.example.com';
    await enrolled(name);
    await pass({ [name]: { count: 50, bounced: 50 } });
    const state = await stateOf(name);
    assert.deepEqual([state.pool, state.bounce_rate], ['dynamic_new', 1]);
    assert.match(state.reason, /^Small sample: 50 messages were sent in 7 days, and a band is changed from 500 on/);
    assert.equal((await historyOf(name)).length, 1);
  });

  it('do not go to and fro where rates swing between the limits', async () => {
    const name = 'swings.example.com';
    await enrolled(name);
    for (let day = 0; day < 3; day += 1) await pass({ [name]: {} });
    for (let day = 0; day < 10; day += 1) await pass({ [name]: { bounced: day % 2 ? 10 : 70 } });
    assert.equal(await poolOf(name), 'dynamic_good');
    assert.equal((await historyOf(name)).length, 2);
    assert.match(
      (await stateOf(name)).reason,
      /^Hard bounces .* are between 2 %, below which a domain is good, and 5 %/,
    );
  });

  it('stay where they were put by hand, until that is over', async () => {
    const name = 'hand.example.com';
    await enrolled(name);
    await succeed(app, `PUT /v1/dynamic_pools/domains/${name}/override`, { body: { pool: 'dynamic_good' } });
    for (let day = 0; day < 3; day += 1) await pass({ [name]: { bounced: 500 } });
    const held = await stateOf(name);
    assert.deepEqual([held.pool, held.override, held.bounce_rate], ['dynamic_good', true, 0.5]);
    assert.match(held.reason, /^Put there by hand\. Hard bounces 50 %/);
    assert.equal((await historyOf(name)).length, 2);
    const preview = await previewOf(name);
    assert.deepEqual([preview.pool, preview.current_pool, preview.override], ['dynamic_poor', 'dynamic_good', true]);
    await succeed(app, `DELETE /v1/dynamic_pools/domains/${name}/override`);
    assert.deepEqual([await poolOf(name), (await stateOf(name)).override], ['dynamic_poor', false]);
    assert.match((await historyOf(name)).at(-1).reason, /^The override was removed\. Hard bounces 50 %/);
  });

  it('come into their pool at once where they have sent before, and a preview says which', async () => {
    const name = 'known.example.com';
    await addDomain(app, name);
    for (let day = 0; day < 3; day += 1) await pass({ [name]: {} });
    assert.deepEqual(await previewOf(name), {
      message: 'success',
      pool: 'dynamic_good',
      bounce_rate: 0,
      complaint_rate: 0,
      processed_count: 3000,
      reason:
        'Complaints 0 % (0 of 3,000 delivered), Hard bounces 0 % (0 of 3,000 sent) in 7 days, below 0.1 % and 2 %.',
      current_pool: null,
      override: false,
    });
    assert.equal(await stateOf(name), undefined, 'a preview enrolls nothing');
    await succeed(app, `POST /v3/domains/${name}/dynamic_pools?replacement_ip=${FREE}`);
    assert.equal(await poolOf(name), 'dynamic_good');
  });

  it('are sorted by their rates, what has none last', async () => {
    await enrolled('silent.example.com');
    for (const order of ['ascending', 'descending']) {
      const query = `limit=100&sort_by=bounce_rate&sort_order=${order}`;
      const { items } = await succeed(app, `GET /v1/dynamic_pools/domains?${query}`);
      const rates = items.map((one: any) => one.bounce_rate).filter((rate: number | null) => rate !== null);
      const up = rates.toSorted((one: number, other: number) => one - other);
      assert.deepEqual(rates, order === 'ascending' ? up : up.toReversed());
      assert.equal(items.at(-1).bounce_rate, null);
    }
  });

  it('are checked once an hour, by the jobs of a worker', async () => {
    const { rows } = await app.galley.outside.db.text(
      'select count(*)::int as due from dynamic_pool_domains where due_at <= $1',
      [new Date(app.clock.now().getTime() + HOUR / 2)],
    );
    assert.deepEqual(rows, [{ due: 0 }]);
    app.clock.advance(HOUR);
    const found = await checkDue(app.galley.outside, accountId);
    assert.deepEqual([found.checked, found.moved], [7, 0]);
    assert.deepEqual(await checkDue(app.galley.outside, accountId), { checked: 0, moved: 0 });
  });
});
