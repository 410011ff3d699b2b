import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const HTML = '<!doctype html><html lang="en"><body>\n<p>Dear friend, we met in the garden.</p></body></html>';

let app: App;

before(async () => {
  app = await startApp();
});

after(() => app.close());

describe('GET /v1/inspect/spam/{spam_test_id}/content', () => {
  it('gives the message as it was sent, in which the places of rules are right', async () => {
    const { id } = (await app.call('POST /v1/inspect/spam', { body: { subject: 'Garden', html: HTML } })).body.item;
    await app.idle();
    const { status, body } = await app.call(`GET /v1/inspect/spam/${id}/content`);
    assert.deepEqual(
      [status, body.subject, body.html.replaceAll('\r\n', '\n').trimEnd(), Object.keys(body)],
      [200, 'Garden', HTML, ['subject', 'html', 'text', 'headers']],
    );
    assert.equal(body.headers.find(({ name }: { name: string }) => name === 'Subject').value, 'Garden');
    const { analysis } = (await app.call(`GET /v1/inspect/spam/${id}`)).body.item;
    const places = analysis.filters
      .flatMap(({ rules }: any) => rules)
      .flatMap((rule: any) => rule.places)
      .filter(({ part, length }: any) => part === 'html' && length);
    assert.ok(places.some(({ offset, length }: any) => body.html.slice(offset, offset + length) === 'Dear friend'));
  });

  it('of an unknown test, or without a key, gives nothing', async () => {
    const missing = await app.call('GET /v1/inspect/spam/65f0c0ffee65f0c0ffee65f0/content');
    assert.deepEqual([missing.status, typeof missing.body.message], [404, 'string']);
    assert.equal((await app.call('GET /v1/inspect/spam/65f0c0ffee65f0c0ffee65f0/content', { key: null })).status, 401);
  });
});
