// Copies for the members of a mailing list: they are a batch, and leave by the clocks of the members.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const DAY_MS = 86_400_000;

let app: App;
let sandbox = '';
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('GET /v4/domains');
  sandbox = body.items.find(({ type }: any) => type === 'sandbox').name;
  // Eleven in UTC: an hour in which no test crosses the quiet hours below.
  const now = app.clock.now().getTime();
  app.clock.advance((Math.floor(now / DAY_MS) + 1) * DAY_MS + 11 * 3_600_000 - now);
});
after(() => app.close());

async function makeList(name: string, members: readonly object[]): Promise<string> {
  const address = `${name}@${DOMAIN}`;
  assert.equal((await app.call('POST /v3/lists', { body: { address } })).status, 201);
  const { status } = await app.call(`POST /v3/lists/${address}/members.json`, {
    body: { members: JSON.stringify(members) },
  });
  assert.equal(status, 200);
  return address;
}

async function write(to: string): Promise<void> {
  const body = { from: `ann@${DOMAIN}`, to, subject: 'Hello', text: 'Hello' };
  const { status, body: answer } = await app.call(`POST /v3/${DOMAIN}/messages`, { body });
  assert.equal(status, 200, JSON.stringify(answer));
}

async function until(path: string, isSo: (body: any) => boolean): Promise<any> {
  for (const end = Date.now() + 90_000; ;) {
    const { body } = await app.call(`GET ${path}`);
    if (isSo(body)) return body;
    assert.ok(Date.now() < end, JSON.stringify(body));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('copies for members of a mailing list', () => {
  it('wait for the hours of each member, as the variable of the member says', async () => {
    const list = await makeList('letters', [
      { address: 'utc@example.net' },
      { address: 'tokyo@example.net', vars: { time_zone: 'Asia/Tokyo' } },
      { address: 'phoenix@example.net', vars: { timezone: 'America/Phoenix' } },
      { address: 'odd@example.net', vars: { timezone: 'Mars/Olympus' } },
    ]);
    const body = { mode: 'on', quiet_hours: { from: '10:00', until: '14:30' } };
    assert.equal((await app.call(`PUT /v1/galley/domains/${DOMAIN}/calendar`, { body })).status, 200);
    await write(list);
    const { items } = await until(
      '/v1/galley/queue/deliveries',
      (queue) =>
        queue.items.length === 2 && queue.items.every(({ reason }: any) => reason?.includes('hours are quiet')),
    );
    assert.deepEqual(items.map(({ recipient }: any) => recipient).sort(), ['odd@example.net', 'utc@example.net']);
    await app.call(`PUT /v1/galley/domains/${DOMAIN}/calendar`, { body: { mode: 'off' } });
    await until('/v1/galley/queue/deliveries', (queue) => queue.items.length === 0);
  });

  it('are a batch, which is held when its first deliveries bounce', async () => {
    const body = { mode: 'on', sample: 10 };
    assert.equal((await app.call(`PUT /v1/galley/domains/${DOMAIN}/breaker`, { body })).status, 200);
    const members = Array.from({ length: 40 }, (_, place) => ({ address: `bounced+550-5.1.${place}@${sandbox}` }));
    const list = await makeList('old', members);
    await write(list);
    const { items } = await until('/v1/galley/batches?state=held', (batches) => batches.items.length > 0);
    const [{ kind, name, recipients, sample, reason, id }] = items;
    assert.deepEqual([kind, name, recipients, sample.sampled], ['list', list, 40, 10]);
    assert.match(reason, /^The mailing list “old@news\.example\.com” is held\. Of its first \d+ deliveries /);
    const { body: dropped } = await app.call(`POST /v1/galley/batches/${id}/drop`);
    assert.match(dropped.message, /^Dropped for \d+ recipients\.$/);
    await until('/v1/galley/queue/deliveries', (queue) => queue.items.length === 0);
  });
});
