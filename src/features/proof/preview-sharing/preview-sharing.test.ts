import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let app: App;
let testId: string;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
  testId = (
    await app.call('POST /v2/preview/tests', {
      body: { subject: 'Shared', html: '<p>Hi</p>', clients: ['gmail_chrome'] },
    })
  ).body.id;
});
after(() => app.close());

describe('preview sharing', () => {
  it('creates one link per test, readable without a key', async () => {
    assert.equal((await app.call(`GET /v1/preview/sharing/${testId}`)).status, 404);
    const { status, body } = await app.call('POST /v1/preview/sharing', { body: { test_id: testId } });
    assert.equal(status, 200);
    const { uuid, expires_at } = body;
    assert.match(uuid, UUID);
    assert.match(expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const url = `${app.url}/share/${uuid}`;
    assert.deepEqual(body, {
      message: 'The share link was created.',
      test_id: testId,
      uuid,
      url_uuid: uuid,
      url,
      share_url: url,
      enabled: true,
      expires_at,
      expiration: Date.parse(expires_at) / 1000,
    });
    assert.equal((await app.call('POST /v1/preview/sharing', { body: { test_id: testId } })).body.uuid, uuid);
    const { message: _, ...record } = body;
    assert.deepEqual((await app.call(`GET /v1/preview/sharing/${testId}`)).body, record);
    const shared = await app.call(`GET /v1/preview/sharing/public/${uuid}`, { key: null });
    assert.equal(shared.status, 200);
    assert.equal(shared.body.subject, 'Shared');
    assert.ok(Number.isInteger(shared.body.date));
    assert.deepEqual(
      shared.body.results.map((result: { id: string }) => result.id),
      ['gmail_chrome'],
    );
  });

  it('disables and enables, by toggle, body or query', async () => {
    const { body: share } = await app.call(`GET /v1/preview/sharing/${testId}`);
    assert.equal(
      (await app.call(`PUT /v1/preview/sharing/${testId}?url_uuid=${share.uuid}`)).body.message,
      'The share link is disabled.',
    );
    assert.equal((await app.call(`GET /v1/preview/sharing/public/${share.uuid}`, { key: null })).status, 404);
    assert.equal((await app.call(`PUT /v1/preview/sharing/${testId}?url_uuid=${share.uuid}`)).body.enabled, true);
    assert.equal(
      (await app.call(`PUT /v1/preview/sharing/${testId}`, { body: { enabled: false } })).body.enabled,
      false,
    );
    assert.equal((await app.call(`PUT /v1/preview/sharing/${testId}?enabled=true`)).body.enabled, true);
    const wrong = await app.call(`PUT /v1/preview/sharing/${testId}?url_uuid=00000000-0000-4000-8000-000000000000`);
    assert.deepEqual([wrong.status, wrong.body.Reason], [400, 'url_uuid is not the current uuid of this share.']);
  });

  it('rotates: the old link stops, the expiration starts anew', async () => {
    const { body: before } = await app.call(`GET /v1/preview/sharing/${testId}`);
    app.clock.advance(3_600_000);
    const { status, body } = await app.call(`POST /v1/preview/sharing/${testId}/rotate?url_uuid=${before.uuid}`);
    assert.equal(status, 200);
    assert.notEqual(body.uuid, before.uuid);
    assert.ok(body.expiration > before.expiration);
    assert.equal((await app.call(`GET /v1/preview/sharing/public/${before.uuid}`, { key: null })).status, 404);
    assert.equal((await app.call(`GET /v1/preview/sharing/public/${body.uuid}`, { key: null })).status, 200);
  });

  it('expires after thirty days', async () => {
    const { body: share } = await app.call(`GET /v1/preview/sharing/${testId}`);
    app.clock.advance(31 * 86_400_000);
    const { status, body } = await app.call(`GET /v1/preview/sharing/public/${share.uuid}`, { key: null });
    assert.deepEqual([status, body.Reason], [410, 'This link has expired; ask its owner for a new one.']);
  });

  it('deletes, and answers 404 to what is not there', async () => {
    assert.deepEqual((await app.call(`DELETE /v1/preview/sharing/${testId}`)).body, {
      message: 'The share was deleted.',
    });
    assert.equal((await app.call(`DELETE /v1/preview/sharing/${testId}`)).status, 404);
    assert.equal((await app.call(`POST /v1/preview/sharing/${testId}/rotate`)).status, 404);
    assert.equal((await app.call('GET /v1/preview/sharing/public/not-a-uuid', { key: null })).status, 404);
    assert.equal(
      (await app.call('POST /v1/preview/sharing', { body: { test_id: '0123456789abcdef01234567' } })).status,
      404,
    );
    assert.equal((await app.call('POST /v1/preview/sharing', { body: {} })).body.Reason, 'test_id is required.');
  });
});
