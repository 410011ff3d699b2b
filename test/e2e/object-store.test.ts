import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startObjectStore, type ObjectStore } from '../harness/object-store.ts';
import { startApp, type App } from '../harness/start-app.ts';

describe('an object store that goes away', () => {
  let store: ObjectStore;
  let app: App;
  before(async () => {
    store = await startObjectStore();
    app = await startApp({ GALLEY_STORAGE_URL: store.url });
  });
  after(async () => {
    await app?.close();
    await store?.close();
  });

  const create = () => app.call('POST /v1/inspect/analyze', { body: { html: '<p>x</p>' } });

  it('is 503 with Retry-After and named by /health; what was accepted waits, costs no try and is done when it is back', async () => {
    const made = await create();
    await store.stop();
    const { status, headers, body } = await create();
    assert.deepEqual(
      [status, headers.get('retry-after'), body],
      [
        503,
        '2',
        {
          message:
            'The object store is not available at the moment: it refuses connections. Try again in a few seconds.',
        },
      ],
    );
    const health = await app.call('GET /health', { key: null });
    assert.deepEqual(
      [health.status, health.body.status, health.body.missing, health.body.parts.objects],
      [503, 'degraded', ['objects'], { status: 'away', reason: 'it refuses connections' }],
    );
    await store.start();
    const deadline = Date.now() + 60_000;
    const path = `GET /v1/inspect/analyze/${made.body.items.id}`;
    while ((await app.call(path)).body.meta.status !== 'Completed' && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await app.call(path)).body.meta.status, 'Completed');
    assert.equal((await create()).status, 200);
  });
});
