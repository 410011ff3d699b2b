import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import nodemailer from 'nodemailer';
import feature from './index.ts';
import { connectSmtp } from '../../../../test/harness/smtp-client.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
let port: number;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,mail', GALLEY_SMTP_DOMAIN: 'proofs.example.com' });
  port = app.galley.outside.ownSmtp!.port;
});
after(() => app.close());

/** The test follows the 250. */
async function firstTest(): Promise<any> {
  for (;;) {
    const {
      body: [test],
    } = await app.call('GET /v2/preview/tests');
    if (test) return test;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('POST /v1/preview/address', () => {
  it('answers with the one address of the account, under both paths', async () => {
    const { status, body } = await app.call('POST /v1/preview/address');
    assert.equal(status, 200);
    assert.match(body.preview_address, /^preview-[0-9a-f]{16}@proofs\.example\.com$/);
    assert.deepEqual((await app.call('POST /v2/preview/address')).body, body);
  });
});

describe('mail to the preview address', () => {
  it('becomes a test in the default clients', async () => {
    const {
      body: { preview_address: to },
    } = await app.call('POST /v1/preview/address');
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true });
    await transport.sendMail({
      from: 'sender@example.com',
      to,
      subject: 'Grüße by mail',
      html: '<p>Hi</p>',
      headers: { 'X-Campaign': 'spring' },
    });
    const test = await firstTest();
    assert.equal(test.subject, 'Grüße by mail');
    assert.equal(test.headers['x-campaign'], 'spring');
    const { body: info } = await app.call(`GET /v2/preview/tests/${test.id}`);
    assert.ok(info.processing.includes('gmail_chrome'));
    assert.match((await app.call(`GET /v1/preview/tests/${test.id}/content`)).body.content, /<p>Hi<\/p>/);
    transport.close();
  });

  it('makes one test when it is handed over twice, and two for two messages', async () => {
    const {
      body: { preview_address: to },
    } = await app.call('POST /v1/preview/address');
    const [receiver] = feature.mailReceivers ?? [];
    assert.ok(receiver?.delivery === 'spooled');
    const envelope = {
      from: '',
      recipients: [to],
      remoteAddress: '127.0.0.1',
      helo: '',
      isEncrypted: false,
      tls: null,
      transmission: 'ESMTP',
    };
    const raw = Buffer.from('Subject: twice\r\n\r\nHi\r\n');
    for (const id of ['first', 'first', 'second']) await receiver.receive(app.galley.outside, raw, { ...envelope, id });
    const { body: tests } = await app.call('GET /v2/preview/tests?subject=twice');
    assert.equal(tests.length, 2);
  });

  const EMPTY: [string, string, RegExp][] = [
    [
      'header fields only',
      'Subject: headers\r\nFrom: a@example.com\r\n',
      /^554 5\.6\.0 No test can be made of the message: it has neither an HTML nor a text part\.$/,
    ],
    [
      'an attachment only',
      'Subject: attached\r\nContent-Type: application/pdf; name=a.pdf\r\n' +
        'Content-Disposition: attachment\r\n\r\n%PDF-1.4',
      /^554 5\.6\.0 .* neither an HTML nor a text part\.$/,
    ],
    [
      'no text part',
      'Subject: parts\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n' +
        'Content-Type: image/png\r\n\r\nx\r\n--b--',
      /^554 5\.6\.0 .* neither an HTML nor a text part\.$/,
    ],
    [
      'a header beyond what is read',
      `Subject: long\r\nX-Long: ${'x'.repeat(600_000)}\r\n\r\nHi`,
      /^554 5\.6\.0 .*it cannot be read: The header of a part is larger than 524288 bytes/,
    ],
    [
      'more HTML than a test may have',
      `Subject: large\r\nContent-Type: text/html\r\n\r\n${`<p>${'x'.repeat(70)}</p>\r\n`.repeat(75_000)}`,
      /^554 5\.6\.0 .*it is \d+ bytes of HTML; at most 5242880 \(5 MiB\) are accepted\.$/,
    ],
  ];
  for (const [what, raw, answer] of EMPTY) {
    it(`is refused with a reason when it cannot become a test: ${what}`, async () => {
      const {
        body: { preview_address: to },
      } = await app.call('POST /v1/preview/address');
      const client = await connectSmtp(port);
      for (const line of ['EHLO client.example', 'MAIL FROM:<a@example.com>', `RCPT TO:<${to}>`, 'DATA'])
        await client.say(line);
      assert.match(await client.say(`${raw}\r\n.`), answer);
      client.close();
      const { subject } = /^Subject: (?<subject>\w+)/.exec(raw)!.groups!;
      assert.deepEqual((await app.call(`GET /v2/preview/tests?subject=${subject}`)).body, []);
      assert.equal(existsSync(join(app.galley.outside.config.dataDir, 'spool', 'aside')), false);
    });
  }

  it('is refused for an address that is nobody’s', async () => {
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true });
    for (const to of ['preview-0000000000000000@proofs.example.com', 'someone@elsewhere.example']) {
      await assert.rejects(
        transport.sendMail({ from: 'a@example.com', to, subject: 'x', text: 'x' }),
        (error: { responseCode?: number }) => error.responseCode === 550,
      );
    }
    transport.close();
  });
});
