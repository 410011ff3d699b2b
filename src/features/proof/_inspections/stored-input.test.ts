import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
before(async () => {
  // Nothing works on what is stored.
  app = await startApp({ GALLEY_ROLES: 'api' });
});
after(() => app.close());

const PATH = '/v1/inspect/accessibility';
const HTML = '<html><head><title>Größe</title></head><body><img src="a.png"></body></html>';

async function started(body: object): Promise<string> {
  const { status, body: answer } = await app.call(`POST ${PATH}`, { body });
  assert.equal(status, 201);
  return answer.items.id;
}

describe('what an inspection is made on', () => {
  for (const [what, body] of [
    ['HTML', { html: HTML }],
    ['a whole message', { mime: `From: a@b.example\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${HTML}` }],
  ] as const)
    it(`is kept as it came: ${what}`, async () => {
      const { status, body: fixed } = await app.call(`POST ${PATH}/${await started(body)}/fix`, { body: {} });
      assert.equal(status, 200, JSON.stringify(fixed));
      assert.match(fixed.html, /Größe/);
    });

  it('is read as well where it was stored as JSON, as earlier versions did', async () => {
    const id = await started({ html: '<p>Newer</p>' });
    const { blobs } = app.galley.outside;
    await blobs.deleteAll(`inspections/${id}/input-1`);
    const before = { kind: 'html', url: null, body: Buffer.from(HTML).toString('base64'), name: 'Größe' };
    await blobs.put(`inspections/${id}/input-1.json`, Buffer.from(JSON.stringify(before)), 'application/json');
    const { status, body: fixed } = await app.call(`POST ${PATH}/${id}/fix`, { body: {} });
    assert.equal(status, 200, JSON.stringify(fixed));
    assert.match(fixed.html, /Größe/);
  });

  it('is told to be damaged where it is gone', async () => {
    const id = await started({ html: HTML });
    await app.galley.outside.blobs.deleteAll(`inspections/${id}/input-1`);
    assert.equal((await app.call(`POST ${PATH}/${id}/fix`, { body: {} })).status, 410);
  });
});
