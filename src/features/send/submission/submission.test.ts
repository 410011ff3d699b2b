// Sending by SMTP as programs do it: nodemailer, over STARTTLS, TLS and, on this machine, without.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  countMessages,
  DOMAIN,
  lastMessage,
  LOGIN,
  mailProgram,
  mimeOf,
  startBed,
  type Bed,
} from './submission.fixture.ts';

const LETTER = { from: `Ann <ann@${DOMAIN}>`, to: 'bob@example.net', subject: 'Hello', text: 'Hello Bob' };

let bed: Bed;
before(async () => {
  bed = await startBed();
});
after(() => bed.close());

const refused = (code: number, words: RegExp) => (error: Error & { responseCode?: number; response?: string }) => {
  assert.match(error.response ?? error.message, words);
  assert.equal(error.responseCode, code);
  return true;
};

describe('nodemailer', () => {
  for (const [way, options, transmission] of [
    ['STARTTLS', { requireTLS: true }, 'ESMTPSA'],
    ['TLS from the first byte', { secure: true }, 'ESMTPSA'],
    ['no encryption on this machine', { ignoreTLS: true }, 'ESMTPA'],
  ] as const)
    it(`sends over ${way} (${transmission})`, async () => {
      const sent = await mailProgram(bed, options).sendMail(LETTER);
      assert.deepEqual(sent.accepted, ['bob@example.net']);
      const id = /^250 2\.0\.0 Queued as <(.+)>$/.exec(sent.response)?.[1];
      assert.equal(`<${id}>`, sent.messageId);
      const message = await lastMessage(bed);
      assert.deepEqual(
        [message['method'], message['message_id'], message['domain'], message['subject'], message.recipients],
        ['SMTP', id, DOMAIN, 'Hello', ['bob@example.net']],
      );
      assert.equal(message['originating_ip'], '127.0.0.1');
      assert.match(await mimeOf(bed, message.key), /^From: Ann <ann@mail\.example\.com>\r\nTo: bob@example\.net\r\n/);
    });

  for (const authMethod of ['PLAIN', 'LOGIN'])
    it(`logs in by AUTH ${authMethod}`, async () => {
      assert.ok((await mailProgram(bed, { authMethod }).sendMail(LETTER)).accepted.length);
    });

  it('is told that a password, or a login, is wrong', async () => {
    for (const auth of [
      { ...LOGIN, pass: 'wrong horse' },
      { ...LOGIN, user: 'nobody@example.com' },
    ])
      await assert.rejects(
        mailProgram(bed, { auth }).sendMail(LETTER),
        refused(535, /^535 5\.7\.8 The login or the password is wrong\./),
      );
  });

  it('sends many messages over a pool', async () => {
    const pool = mailProgram(bed, { pool: true, maxConnections: 3 });
    const before = await countMessages(bed);
    const sent = await Promise.all(
      Array.from({ length: 30 }, (_, place) => pool.sendMail({ ...LETTER, to: `r${place}@example.net` })),
    );
    pool.close();
    assert.equal(new Set(sent.map(({ response }) => response)).size, 30);
    assert.equal((await countMessages(bed)) - before, 30);
  });

  it('sends to a thousand recipients, in one message; the next is told that there are too many', async () => {
    const to = Array.from({ length: 1001 }, (_, place) => `r${place}@many.example`);
    const sent = await mailProgram(bed).sendMail({ ...LETTER, to });
    assert.equal(sent.accepted.length, 1000);
    const [error] = (sent as unknown as { rejectedErrors: (Error & { response: string })[] }).rejectedErrors;
    assert.match(error!.response, /^452 4\.5\.3 /);
    assert.equal((await lastMessage(bed)).recipients.length, 1000);
  });

  it('sends to addresses in any script, and asks for reports that are not offered', async () => {
    const sent = await mailProgram(bed).sendMail({
      ...LETTER,
      to: ['jörg@bücher.example', 'bob@example.net'],
      subject: 'Grüße',
      dsn: { id: 'one', return: 'headers', notify: ['failure', 'delay'], recipient: `ann@${DOMAIN}` },
    });
    assert.equal(sent.accepted.length, 2);
    const { recipients, subject } = await lastMessage(bed);
    assert.deepEqual([recipients, subject], [['jörg@bücher.example', 'bob@example.net'], 'Grüße']);
  });

  it('is told which recipient is none; the others get the message', async () => {
    const sent = await mailProgram(bed).sendMail({
      ...LETTER,
      envelope: { from: 'a@x.example', to: ['bob@example.net', 'b@[1.2.3.4]'] },
    });
    assert.deepEqual(sent.accepted, ['bob@example.net']);
    const [error] = (sent as unknown as { rejectedErrors: (Error & { response: string })[] }).rejectedErrors;
    assert.match(error!.response, /^553 5\.1\.3 The recipient is not a valid address: "b@\[1\.2\.3\.4\]" is none/);
  });

  it('sends 24 MB, and is refused 26 before it begins', async () => {
    const withFile = (bytes: number) => ({
      ...LETTER,
      attachments: [{ filename: 'a.bin', content: Buffer.alloc(bytes) }],
    });
    const sent = await mailProgram(bed).sendMail(withFile(17 * 2 ** 20));
    assert.match(sent.response, /^250 /);
    await assert.rejects(mailProgram(bed).sendMail(withFile(19 * 2 ** 20)), refused(552, /^552 5\.3\.4 .*26214400/));
  });

  it('is told what is wrong with a message', async () => {
    const raw = 'Subject: From nobody\r\n\r\nHello\r\n';
    await assert.rejects(
      mailProgram(bed).sendMail({ envelope: { from: '', to: 'bob@example.net' }, raw }),
      refused(554, /^554 5\.6\.0 message has no From field with an address/),
    );
  });

  it('writes the Date and the Message-Id that a message lacks', async () => {
    const raw = `From: ann@${DOMAIN}\nTo: bob@example.net\nSubject: Bare\n\nHello\n`;
    const sent = await mailProgram(bed).sendMail({ envelope: { from: `ann@${DOMAIN}`, to: 'bob@example.net' }, raw });
    const { key, message_id: id } = await lastMessage(bed);
    assert.equal(sent.response, `250 2.0.0 Queued as <${String(id)}>`);
    assert.match(
      await mimeOf(bed, key),
      new RegExp(
        `^Date: \\w{3}, \\d\\d \\w{3} \\d{4} [\\d:]{8} \\+0000\\r\\nMessage-Id: <${String(id)}>\\r\\nFrom: ann@`,
      ),
    );
  });
});

describe('credentials', () => {
  it('hold at once: a changed password, a deleted login, a closed account', async () => {
    const path = `/v3/domains/${DOMAIN}/credentials`;
    const auth = { user: `cyd@${DOMAIN}`, pass: 'first horse' };
    await app('POST', path, { login: 'cyd', password: auth.pass });
    await mailProgram(bed, { auth }).verify();
    await app('PUT', `${path}/cyd`, { password: 'second horse' });
    await assert.rejects(mailProgram(bed, { auth }).verify(), refused(535, /wrong/));
    await mailProgram(bed, { auth: { ...auth, pass: 'second horse' } }).verify();
    await app('DELETE', `${path}/cyd`);
    await assert.rejects(mailProgram(bed, { auth: { ...auth, pass: 'second horse' } }).verify(), refused(535, /wrong/));
  });

  it('are of the account whose password it is, where two have the name of a domain', async () => {
    const { body } = await bed.app.call('POST /v5/accounts/subaccounts?name=Other');
    const headers = { 'x-service-account-id': body.subaccount.id };
    await bed.app.call('POST /v4/domains', { body: { name: DOMAIN }, headers });
    const credential = { login: 'ann', password: 'their own horse' };
    await bed.app.call(`POST /v3/domains/${DOMAIN}/credentials`, { body: credential, headers });
    await mailProgram(bed, { auth: { ...LOGIN, pass: credential.password } }).sendMail(LETTER);
    assert.equal((await lastMessage(bed))['account_id'], body.subaccount.id);
    await mailProgram(bed).sendMail(LETTER);
    assert.notEqual((await lastMessage(bed))['account_id'], body.subaccount.id);
    await bed.app.call(`POST /v5/accounts/subaccounts/${body.subaccount.id}/disable`);
    const shut = mailProgram(bed, { auth: { ...LOGIN, pass: credential.password } });
    await assert.rejects(shut.verify(), refused(535, /wrong/));
  });

  async function app(method: string, path: string, body?: object): Promise<void> {
    const { status } = await bed.app.call(`${method} ${path}`, body ? { body } : {});
    assert.equal(status, 200);
  }
});
