// The breaker and its batches on the wire, with recipients of the sandbox that bounce.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const PATH = `/v1/galley/domains/${DOMAIN}/breaker`;

let app: App;
let sandbox = '';
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('GET /v4/domains');
  sandbox = body.items.find(({ type }: any) => type === 'sandbox').name;
});
after(() => app.close());

/** Sends to so many that bounce, and answers their batch when it is held. */
async function heldBatch(tag: string, count: number): Promise<any> {
  const to = Array.from({ length: count }, (_, place) => `bounced+550-5.1.${place}@${sandbox}`);
  const body = { from: `Ann <ann@${DOMAIN}>`, to, subject: 'Spring', text: 'Hello', 'o:tag': tag };
  assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body })).status, 200);
  for (const end = Date.now() + 90_000; ;) {
    const { items } = (await app.call('GET /v1/galley/batches?state=held')).body;
    const found = items.find(({ name }: any) => name === tag);
    if (found) return found;
    assert.ok(Date.now() < end, 'it is not held');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the breaker on the wire', () => {
  it('is read and set', async () => {
    const off = { domain: DOMAIN, mode: 'off', sample: 200, bounced_max: 10, deferred_max: 50 };
    assert.deepEqual((await app.call(`GET ${PATH}`)).body, off);
    const settings = { mode: 'on', sample: 10, bounced_max: 20, deferred_max: 60 };
    const { status, body } = await app.call(`PUT ${PATH}`, { body: settings });
    assert.deepEqual([status, body], [200, { domain: DOMAIN, ...settings }]);
    assert.deepEqual((await app.call(`GET ${PATH}`)).body, { domain: DOMAIN, ...settings });
    const none = await app.call('PUT /v1/galley/domains/none.example.com/breaker', { body: settings });
    assert.deepEqual([none.status, none.body], [404, { message: 'Domain not found' }]);
  });

  it('holds a batch, which is released or dropped', async () => {
    const first = await heldBatch('spring', 25);
    assert.deepEqual((await app.call(`GET /v1/galley/batches/${first.id}`)).body.state, 'held');
    const released = await app.call(`POST /v1/galley/batches/${first.id}/release`);
    assert.equal(released.status, 200);
    assert.match(released.body.message, /^Released for \d+ recipients\.$/);
    const second = await heldBatch('summer', 25);
    const dropped = await app.call(`POST /v1/galley/batches/${second.id}/drop`);
    assert.equal(dropped.status, 200);
    assert.match(dropped.body.message, /^Dropped for \d+ recipients\.$/);
    const again = await app.call(`POST /v1/galley/batches/${second.id}/release`);
    assert.equal(again.status, 409);
    assert.match(again.body.message, /^This batch was dropped already by /);
  });
});
