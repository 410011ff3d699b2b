// Existing clients validate addresses, unmodified.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../harness/start-app.ts';
import { requireTestPackage } from '../harness/test-packages.ts';

const Mailgun = requireTestPackage('mailgun.js');
const mailgunJs = requireTestPackage('mailgun-js');

let app: App;
let client: any;
before(async () => {
  app = await startApp(
    { GALLEY_ROLES: 'api,work' },
    { zone: { 'example.net': { MX: ['10 mx.example.net'] }, 'null.example': { MX: ['0 .'] } } },
  );
  client = new Mailgun(FormData).client({ username: 'api', key: app.key, url: app.url });
});
after(() => app.close());

describe('mailgun.js', () => {
  it('validates an address', async () => {
    const { checks, ...said } = await client.validate.get('info@null.example');
    assert.deepEqual(said, {
      address: 'info@null.example',
      did_you_mean: null,
      is_disposable_address: false,
      is_role_address: true,
      reason: ['domain_takes_no_mail', 'mailbox_is_role_address'],
      result: 'undeliverable',
      risk: 'high',
      root_address: null,
    });
    assert.equal(checks.length, 7);
  });
});

describe('mailgun-js 0.22', () => {
  it('validates an address, publicly and privately', async () => {
    const { hostname: host, port } = new URL(app.url);
    const old = mailgunJs({ apiKey: app.key, domain: 'example.com', host, port, protocol: 'http:', endpoint: '/v3' });
    for (const isPrivate of [false, true]) {
      const said = await old.validate('ann@example.net', isPrivate);
      assert.deepEqual(
        [said.is_valid, said.mailbox_verification, said.parts.local_part, said.parts.domain],
        [true, 'unknown', 'ann', 'example.net'],
      );
    }
  });
});
