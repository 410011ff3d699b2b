// What one account may have at once, through the front door.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from './harness/start-app.ts';

let app: App;
before(async () => {
  // No worker: what is begun stays under way.
  app = await startApp({
    GALLEY_ROLES: 'api',
    GALLEY_QUOTAS: 'screenshots=3, inspections=2,exports=1,messages=2,mailboxes=1,lists=3,domains=3,keys=2',
  });
});
after(() => app.close());

async function newAccount(name: string): Promise<(operation: string, body?: object) => ReturnType<App['call']>> {
  const { id } = (await app.call(`POST /v5/accounts/subaccounts?name=${name}`)).body.subaccount;
  return (operation, body) => app.call(operation, { headers: { 'x-service-account-id': id }, ...(body && { body }) });
}

const TEST = { subject: 'Many', html: '<p>Hi</p>' };

describe('the quotas of an account', () => {
  it('bound the screenshots that it has in processing, and nobody else’s', async () => {
    const [one, other] = [await newAccount('One'), await newAccount('Other')];
    assert.equal((await one('POST /v2/preview/tests', { ...TEST, clients: ['gmail_chrome', 'ol2021'] })).status, 200);
    const { status, body, headers } = await one('POST /v2/preview/tests', {
      ...TEST,
      clients: ['gmail_chrome', 'ol2021'],
    });
    const message = 'This account has 2 screenshots in processing; it may have 3. Try again when some have ended.';
    assert.deepEqual(
      [status, body, headers.get('retry-after')],
      [429, { message, error: { name: 'RateLimited', message } }, '10'],
    );
    assert.equal((await one('POST /v2/preview/tests', { ...TEST, clients: ['gmail_chrome'] })).status, 200);
    assert.equal((await other('POST /v2/preview/tests', { ...TEST, clients: ['gmail_chrome'] })).status, 200);
  });

  it('bound its inspections, exports and messages in processing', async () => {
    const own = await newAccount('Busy');
    const inspect = () => own('POST /v1/inspect/accessibility', { html: '<p>Hi</p>' });
    for (let n = 0; n < 2; n++) assert.ok((await inspect()).status < 300);
    const refused = await inspect();
    assert.deepEqual(
      [refused.status, refused.body.message, refused.headers.get('retry-after')],
      [429, 'This account has 2 inspections in processing; it may have 2. Try again when some have ended.', '10'],
    );
    const { id } = (await own('POST /v2/preview/tests', { ...TEST, clients: ['gmail_chrome'] })).body;
    const zip = () => own(`POST /v2/preview/tests/${id}/exports`, { clients: ['gmail_chrome'] });
    assert.deepEqual([(await zip()).status, (await zip()).status], [200, 429]);
    const {
      items: [sandbox],
    } = (await own('GET /v4/domains')).body;
    const place = () =>
      own('POST /v4/inbox/tests', {
        from: `a@${sandbox.name}`,
        subject: 'Many',
        html: '<p>Hi</p>',
        provider_filter: ['webmail.local-receiver.example'],
        seeds_per_provider: 2,
      });
    const [first, second] = [await place(), await place()];
    assert.deepEqual(
      [first.status, second.status, second.body.message],
      [
        200,
        429,
        'This account has 2 messages of placement tests under way; it may have 2. Try again when some have ended.',
      ],
    );
  });

  for (const [what, operation, body, count] of [
    [
      'seed mailboxes',
      'POST /v1/seeds/mailboxes',
      (n: number) => ({ email: `a${n}@mail.example`, host: 'imap.mail.example', password: 'x' }),
      1,
    ],
    [
      'seed lists',
      'POST /v4/inbox/seedlists',
      () => ({ provider_filter: ['webmail.local-receiver.example'], seeds_per_provider: 1 }),
      3,
    ],
    ['sending domains', 'POST /v4/domains', (n: number) => ({ name: `d${n}.example.com` }), 3],
    ['API keys', 'POST /v1/keys', () => ({ role: 'developer' }), 2],
  ] as const) {
    it(`bound its ${what}`, async () => {
      const own = await newAccount(encodeURIComponent(what));
      for (let n = 0; n < count; n++) assert.ok((await own(operation, body(n))).status < 300);
      const { status, body: answer } = await own(operation, body(count));
      assert.deepEqual(
        [status, answer.message],
        [429, `This account has ${count} ${what}, which is as many as it may have; delete some first.`],
      );
    });
  }
});
