// Existing clients of this API, unmodified, with routes.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../harness/start-app.ts';
import { requireTestPackage } from '../harness/test-packages.ts';

const Mailgun = requireTestPackage('mailgun.js');
const older = requireTestPackage('mailgun-js');

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
});
after(() => app.close());

const EXPRESSION = 'match_recipient("orders@in.example.com")';

describe('mailgun.js with routes', () => {
  it('creates, lists, reads, updates and deletes them', async () => {
    const logger = { warn() {} };
    const { routes } = new Mailgun(FormData).client({ username: 'api', key: app.key, url: app.url, logger });
    const made = await routes.create({
      priority: '2',
      description: 'Orders',
      expression: EXPRESSION,
      action: ['forward("https://shop.example.com/mail")', 'stop()'],
    });
    assert.deepEqual([made.priority, made.actions], [2, ['forward("https://shop.example.com/mail")', 'stop()']]);
    assert.deepEqual(
      (await routes.list({ limit: 10, skip: 0 })).map(({ id }: any) => id),
      [made.id],
    );
    assert.deepEqual(await routes.get(made.id), made);
    const changed = await routes.update(made.id, { priority: '3', action: ['store()'] });
    assert.deepEqual([changed.id, changed.priority, changed.actions], [made.id, 3, ['store()']]);
    const { message, id } = await routes.destroy(made.id);
    assert.deepEqual([message, id], ['Route has been deleted', made.id]);
    await assert.rejects(routes.get(made.id), { status: 404 });
    await assert.rejects(routes.create({ expression: 'match_nothing()', action: ['stop()'] }), { status: 400 });
  });
});

describe('mailgun-js with routes', () => {
  it('creates, lists, updates and deletes them', async () => {
    const { hostname: host, port } = new URL(app.url);
    const client = older({ apiKey: app.key, domain: 'in.example.com', host, port, protocol: 'http:', endpoint: '/v3' });
    const { route } = await client.routes().create({ expression: EXPRESSION, action: 'store()', priority: '1' });
    assert.deepEqual([route.expression, route.actions], [EXPRESSION, ['store()']]);
    assert.equal((await client.routes().list()).total_count, 1);
    const updated = await client.routes(route.id).update({ description: 'Orders' });
    assert.deepEqual([updated.id, updated.description], [route.id, 'Orders']);
    assert.equal((await client.routes(route.id).delete()).message, 'Route has been deleted');
  });
});
