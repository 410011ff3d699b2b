// Where programs log in, as the API says it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApp } from '../../../../test/harness/start-app.ts';

async function placeWith(settings: Record<string, string>) {
  const app = await startApp({ GALLEY_ROLES: 'api', ...settings });
  const { status, body } = await app.call('GET /v1/galley/submission');
  await app.close();
  return [status, body];
}

describe('GET /v1/galley/submission', () => {
  it('says the ports of the settings, and the host of the request or of GALLEY_PUBLIC_URL', async () => {
    const ports = { GALLEY_SUBMISSION_PORT: '2587', GALLEY_SUBMISSION_TLS_PORT: '2465' };
    assert.deepEqual(await placeWith(ports), [200, { host: '127.0.0.1', port: 2587, tls_port: 2465 }]);
    assert.deepEqual(await placeWith({ ...ports, GALLEY_PUBLIC_URL: 'https://galley.example.com:8443' }), [
      200,
      { host: 'galley.example.com', port: 2587, tls_port: 2465 },
    ]);
  });

  it('says nothing of ports that are off, or free ones', async () => {
    assert.deepEqual(await placeWith({ GALLEY_SUBMISSION_PORT: 'off', GALLEY_SUBMISSION_TLS_PORT: '0' }), [
      200,
      { host: '127.0.0.1', port: null, tls_port: null },
    ]);
  });
});
