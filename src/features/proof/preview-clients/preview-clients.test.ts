import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
});
after(() => app.close());

describe('GET /v1/preview/tests/clients', () => {
  it('is a map of at least sixty clients, each saying how and from what it is made', async () => {
    const { status, body } = await app.call('GET /v1/preview/tests/clients');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['clients']);
    const clients = Object.entries<any>(body.clients);
    assert.ok(clients.length >= 60);
    for (const [id, client] of clients) {
      assert.equal(client.id, id);
      assert.ok(['Application', 'Mobile', 'Web'].includes(client.category), id);
      assert.ok(['real', 'engine', 'emulated'].includes(client.fidelity) && client.engine && client.engine_version, id);
      assert.ok(
        client.sources.length > 0 && client.sources.every((source: { date: string }) => /^\d{4}/.test(source.date)),
        id,
      );
      const { published, reproduced, family, measured } = client.published_behaviors;
      assert.ok(reproduced > 0 && reproduced <= published && family && /^\d{4}-\d\d-\d\d$/.test(measured), id);
      assert.equal(client.imageblocking, client.image_blocking, id);
      assert.equal(client.extension, client.ext, id);
      for (const flag of ['rotate', 'imageblocking', 'free', 'default'])
        assert.equal(typeof client[flag], 'boolean', `${id}.${flag}`);
    }
  });

  it('says that a client without its engine is emulated', async () => {
    const { body } = await app.call('GET /v1/preview/tests/clients');
    const { wanted_engine, engine, fidelity } = body.clients.thunderbird;
    assert.deepEqual(
      { wanted_engine, engine, fidelity },
      { wanted_engine: 'thunderbird', engine: 'chromium', fidelity: 'emulated' },
    );
  });
});
