// The gate where programs hand over their mail by SMTP.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import nodemailer from 'nodemailer';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const HTML = '<!doctype html><html lang="en"><title>Hello</title><p>Hello</p></html>';

const DOMAIN = 'mail.example.com';
const LOGIN = { user: `ann@${DOMAIN}`, pass: 'correct horse' };

let app: App;
let port = 0;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,mail,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const login = { login: LOGIN.user, password: LOGIN.pass };
  await app.call(`POST /v3/domains/${DOMAIN}/credentials`, { body: login });
  port = Number(/submission: smtp:\/\/[^,]*?:(\d+)/.exec(app.galley.about.join('\n'))?.[1]);
  const body = { mode: 'refuse', policy: { limits: { html_bytes_max: 20 } }, checks: ['code'] };
  assert.equal((await app.call(`PUT /v1/galley/domains/${DOMAIN}/gate`, { body })).status, 200);
});
after(() => app?.close());

const send = (to: string) =>
  nodemailer.createTransport({ host: '127.0.0.1', port, auth: LOGIN, tls: { rejectUnauthorized: false } }).sendMail({
    from: `ann@${DOMAIN}`,
    to,
    subject: 'Hello',
    text: 'Hello',
    html: HTML,
    attachments: [{ filename: 'a.txt', content: 'a' }],
  });

describe('a message by SMTP that the gate of its domain refuses', () => {
  it('is rejected when it is new, and refused with 550 for the next recipient', async () => {
    await send('bob@example.net');
    await app.idle();
    const { body } = await app.call('GET /v1/galley/gate/messages');
    assert.deepEqual(
      body.items.map(({ state }: any) => state),
      ['refused'],
    );
    // Another date, another Message-Id, other boundaries between its parts: the same campaign.
    await assert.rejects(send('cy@example.net'), (error: any) => {
      assert.equal(error.responseCode, 550);
      assert.match(
        error.response,
        /^550 5\.7\.1 The gate of mail\.example\.com refuses this message\. limits\.html_byt/,
      );
      return true;
    });
  });
});
