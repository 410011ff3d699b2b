import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../harness/start-app.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

const S3rver = createRequire(import.meta.url)('s3rver');

describe('an object store that goes away', () => {
  let dir: string;
  let store: { close(): Promise<void> };
  let proxy: TcpProxy;
  let app: App;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'galley-s3-'));
    const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: dir, configureBuckets: [{ name: 'galley', configs: [] }] });
    const { port } = await server.run();
    store = server;
    proxy = await startTcpProxy(port);
    app = await startApp({ GALLEY_STORAGE_URL: `s3://S3RVER:S3RVER@127.0.0.1:${proxy.port}/galley?tls=off` });
  });
  after(async () => {
    await app?.close();
    await proxy?.close();
    await store?.close();
    await rm(dir, { recursive: true, force: true });
  });

  const create = () => app.call('POST /v1/inspect/analyze', { body: { html: '<p>x</p>' } });

  it('is 503 with Retry-After and named by /health; what was accepted waits, costs no try and is done when it is back', async () => {
    const made = await create();
    await proxy.refuse();
    const { status, headers, body } = await create();
    assert.deepEqual([status, headers.get('retry-after'), body], [503, '2', { message: 'The object store is not available at the moment: it refuses connections. Try again in a few seconds.' }]);
    const health = await app.call('GET /health', { key: null });
    assert.deepEqual([health.status, health.body.status, health.body.missing, health.body.parts.objects], [503, 'degraded', ['objects'], { status: 'away', reason: 'it refuses connections' }]);
    await proxy.mend();
    const deadline = Date.now() + 60_000;
    const path = `GET /v1/inspect/analyze/${made.body.items.id}`;
    while ((await app.call(path)).body.meta.status !== 'Completed' && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await app.call(path)).body.meta.status, 'Completed');
    assert.equal((await create()).status, 200);
  });
});
