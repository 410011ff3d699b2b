import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

/** A server that answers when it is told to. */
const asked = Promise.withResolvers<ServerResponse>();
const server = createServer((_request, response) => asked.resolve(response));

let app: App;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  app = await startApp({ GALLEY_ALLOW_HOSTS: `127.0.0.1:${(server.address() as AddressInfo).port}` });
});
after(async () => {
  await app.close();
  server.closeAllConnections();
  server.close();
});

describe('a preview test that is deleted while its assets are fetched', () => {
  it('leaves nothing behind', async () => {
    const html = `<p>Hi</p><img src="http://127.0.0.1:${(server.address() as AddressInfo).port}/late.png">`;
    const {
      body: { id },
    } = await app.call('POST /v2/preview/tests', { body: { subject: 'Late', html, clients: ['gmail_chrome'] } });
    const response = await asked.promise;
    assert.equal((await app.call(`DELETE /v2/preview/tests/${id}`)).status, 200);
    response
      .writeHead(200, { 'content-type': 'image/svg+xml' })
      .end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await app.idle();
    assert.equal(existsSync(join(app.galley.outside.config.dataDir, 'objects', 'previews', id)), false);
    assert.equal((await app.call(`GET /v2/preview/tests/${id}`)).status, 404);
  });
});
