import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { poisonEmail } from '../../../../test/harness/poison-email.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

async function create(app: App, html: string, clients: string[], key = app.key): Promise<string> {
  const { status, body } = await app.call('POST /v2/preview/tests', {
    body: { subject: 'Hello', html, clients },
    key,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

async function finished(app: App, id: string, key = app.key): Promise<any> {
  for (;;) {
    const { body } = await app.call(`GET /v2/preview/tests/${id}`, { key });
    if (body.processing.length === 0) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function detailsOf(app: App, id: string, client: string): Promise<any> {
  return (await app.call(`GET /v2/preview/tests/${id}/results/${client}`)).body[client].status_details;
}

describe('a message that is too much for a browser', () => {
  let app: App;
  let otherKey: string;
  before(async () => {
    app = await startApp({ GALLEY_RENDER_SECONDS: '3', GALLEY_RENDER_MEMORY_MIB: '512' });
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Neighbor')).body.subaccount;
    otherKey = (
      await app.call('POST /v1/keys', { body: { role: 'developer' }, headers: { 'x-service-account-id': id } })
    ).body.key.secret;
  });
  after(() => app.close());

  it('bounces with what it took and how often it was tried; an email of another account is made meanwhile', async () => {
    const poison = await create(app, poisonEmail('blur'), ['gmail_chrome', 'applemail_26_dm', 'applemail_26']);
    const innocent = await create(app, '<p>Hello', ['gmail_chrome'], otherKey);
    assert.deepEqual((await finished(app, innocent, otherKey)).completed, ['gmail_chrome']);
    assert.ok(
      (await app.call(`GET /v2/preview/tests/${poison}`)).body.processing.length > 0,
      'the poison was over before',
    );
    const { completed, bounced } = await finished(app, poison);
    assert.deepEqual(
      { completed, bounced },
      { completed: ['gmail_chrome'], bounced: ['applemail_26', 'applemail_26_dm'] },
      'Gmail takes the blur away',
    );
    const details = await Promise.all(bounced.map((client: string) => detailsOf(app, poison, client)));
    const took = 'The picture was not ready after 3 seconds of computing.';
    const ways = [
      { bounce_code: '554', bounce_message: `The picture could not be made in 2 tries: ${took}`, attempts: 2 },
      // Of a message that is known, the other pictures are not tried in turn with those of others.
      { bounce_code: '554', bounce_message: `The picture could not be made: ${took}`, attempts: 1 },
    ];
    for (const { bounce_code, bounce_message, attempts } of details) {
      assert.ok(
        ways.some((way) => isDeepStrictEqual(way, { bounce_code, bounce_message, attempts })),
        JSON.stringify(details),
      );
    }
  });
});

for (const { poison, memoryMib, reason } of [
  { poison: 'shapes', memoryMib: 512, reason: / the 512 MiB that it may use\.$/ },
  { poison: 'nested ruby', memoryMib: 4096, reason: /: The browser's page broke over the document\. / },
] as const)
  describe(`a message with ${poison}, in a browser that has time and ${memoryMib} MiB`, () => {
    let app: App;
    before(async () => {
      app = await startApp({ GALLEY_RENDER_SECONDS: '60', GALLEY_RENDER_MEMORY_MIB: String(memoryMib) });
    });
    after(() => app.close());

    it('bounces after two tries, with the reason', async () => {
      const id = await create(app, poisonEmail(poison), ['applemail_26_dm']);
      assert.deepEqual((await finished(app, id)).bounced, ['applemail_26_dm']);
      const { bounce_code, bounce_message, attempts } = await detailsOf(app, id, 'applemail_26_dm');
      assert.deepEqual({ bounce_code, attempts }, { bounce_code: '554', attempts: 2 });
      assert.match(bounce_message, reason);
    });
  });
