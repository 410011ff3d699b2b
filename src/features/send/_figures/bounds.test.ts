// More sums than one answer may be made of: the query is refused, and one of less time is answered.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { smallestSet } from '../../../platform/figures/sets.ts';

const ROWS_MAX = 500_000;
const DAY_MS = 86_400_000;

let app: App;
let accountId = '';
/** Midnight of yesterday and of the day before, UTC. */
let days: [early: Date, late: Date];

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
  const { db, clock } = app.galley.outside;
  accountId = ((await db.text('select id from accounts')).rows[0] as { id: string }).id;
  const today = Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS;
  days = [new Date(today - 2 * DAY_MS), new Date(today - DAY_MS)];
  const set = smallestSet('figure_days', { columns: ['domain'], detail: 'recipientDomain' });
  await db.text(
    `insert into figure_days (
       account_id, "grouping", at, domain, provider, ip, ip_pool, country, device, bot, detail, accepted)
     select $1, $2::int, case when n = 0 then $3::timestamptz else $4::timestamptz end,
       'd' || n % 7 || '.example.com', '', '', '', '', '', '', 'host' || n || '.example', 1
     from generate_series(0, $5::int) n`,
    [accountId, set, ...days, ROWS_MAX],
  );
});
after(() => app.close());

const ask = (from: Date, more: object = {}) =>
  app.call('POST /v1/analytics/metrics', {
    body: {
      start: from.toUTCString(),
      end: new Date(days[1].getTime() + DAY_MS - 1000).toUTCString(),
      resolution: 'day',
      dimensions: ['domain'],
      filter: { AND: [{ attribute: 'recipient_domain', comparator: 'contains', values: [{ value: 'host' }] }] },
      metrics: ['accepted_count'],
      ...more,
    },
  });

describe('an answer of more than 500,000 sums', () => {
  it('is refused, with what to ask for in its place', async () => {
    const { status, body } = await ask(days[0]);
    assert.equal(status, 400);
    assert.deepEqual(body, {
      message: 'dimensions and conditions need more than 500000 sums here; ask for less time or for fewer.',
    });
  });
  it('is given up to that number', async () => {
    const { status, body } = await ask(days[1]);
    assert.equal(status, 200);
    const counts = body.items.map(({ dimensions, metrics }: any) => [dimensions[0].value, metrics.accepted_count]);
    assert.deepEqual(
      Object.fromEntries(counts),
      // 500,000 among seven domains, beginning with the second: four have one more.
      Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((n) => [`d${n}.example.com`, n >= 1 && n <= 4 ? 71_429 : 71_428])),
    );
  });
});
