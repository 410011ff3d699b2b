// Programs log in with the login of an inbox: what they send is kept there, and goes nowhere.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectSmtp, type SmtpClient } from '../../../../test/harness/smtp-client.ts';
import { countMessages, mailProgram, startBed, type Bed } from './submission.fixture.ts';

let bed: Bed;
let inbox: any;
before(async () => {
  bed = await startBed();
  inbox = (await bed.app.call('POST /v1/sandbox', { body: { name: 'smtp' } })).body;
});
after(() => bed.close());

const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');
const auth = () => ({ user: inbox.smtp_user, pass: inbox.smtp_password });
const latest = async (query: string): Promise<any> =>
  (await bed.app.call(`GET /v1/sandbox/smtp/messages/latest?${query}`)).body;

type LogIn = (client: SmtpClient, user?: string, password?: string) => Promise<string>;
const plain: LogIn = (client, user = inbox.smtp_user, password = inbox.smtp_password) =>
  client.say(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`);
const plainInTwo: LogIn = async (client) => {
  assert.match(await client.say('AUTH PLAIN'), /^334/);
  return client.say(base64(`\0${inbox.smtp_user}\0${inbox.smtp_password}`));
};
const login: LogIn = async (client) => {
  assert.equal(await client.say('AUTH LOGIN'), `334 ${base64('Username:')}`);
  assert.equal(await client.say(base64(inbox.smtp_user)), `334 ${base64('Password:')}`);
  return client.say(base64(inbox.smtp_password));
};
const loginWithUser: LogIn = async (client) => {
  assert.equal(await client.say(`AUTH LOGIN ${base64(inbox.smtp_user)}`), `334 ${base64('Password:')}`);
  return client.say(base64(inbox.smtp_password));
};

/** What frameworks say by their usual settings, as it is on the wire. */
const FRAMEWORKS: { name: string; isTls: boolean; logIn: LogIn; mailFrom: string }[] = [
  { name: 'Rails (Net::SMTP, authentication: :plain)', isTls: true, logIn: plain, mailFrom: 'MAIL FROM:<' },
  { name: 'Rails (Net::SMTP, authentication: :login)', isTls: false, logIn: login, mailFrom: 'MAIL FROM:<' },
  { name: 'Django (smtplib)', isTls: false, logIn: plain, mailFrom: 'mail FROM:<' },
  { name: 'Django (smtplib, EMAIL_USE_TLS)', isTls: true, logIn: plain, mailFrom: 'mail FROM:<' },
  { name: 'Laravel (Symfony Mailer)', isTls: true, logIn: login, mailFrom: 'MAIL FROM:<' },
  { name: 'PHPMailer', isTls: true, logIn: loginWithUser, mailFrom: 'MAIL FROM:<' },
  { name: 'swaks', isTls: false, logIn: plainInTwo, mailFrom: 'MAIL FROM:<' },
];

describe('what is sent with the login of an inbox', () => {
  for (const { name, isTls, logIn, mailFrom } of FRAMEWORKS)
    it(`is kept: ${name}${isTls ? ', STARTTLS' : ''}`, async () => {
      const before = await countMessages(bed);
      const to = `${name.replaceAll(/\W/g, '')}${isTls ? '1' : '0'}@localhost`;
      const client = await connectSmtp(bed.port);
      const capabilities = await client.say('EHLO dev.example');
      assert.match(capabilities, /^250[- ]AUTH PLAIN LOGIN$/m);
      assert.doesNotMatch(capabilities, /CRAM-MD5/);
      if (isTls) {
        assert.match(await client.say('STARTTLS'), /^220/);
        await client.startTls();
        await client.say('EHLO dev.example');
      }
      assert.match(await logIn(client), /^235/);
      assert.match(await client.say(`${mailFrom}root@localhost>`), /^250/);
      assert.match(await client.say(`RCPT TO:<${to}>`), /^250/);
      assert.match(await client.say('DATA'), /^354/);
      const answer = await client.say(`From: root@localhost\r\nSubject: ${name}\r\n\r\n..dot\r\nBody\r\n.`);
      assert.match(answer, /^250 2\.0\.0 Kept in the sandbox as [0-9a-f]{24}, and delivered to nobody$/);
      assert.match(await client.say('QUIT'), /^221/);
      client.close();
      const message = await latest(`to=${to}`);
      assert.deepEqual(
        [message.subject, message.text, message.mail_from, message.recipients, message.method, message.remote_address],
        [name, '.dot\nBody\n', 'root@localhost', [to], 'SMTP', '127.0.0.1'],
      );
      const source = await bed.app.call(`GET ${message.source_url}`);
      assert.equal(source.body.toString(), `From: root@localhost\r\nSubject: ${name}\r\n\r\n.dot\r\nBody\r\n`);
      assert.equal((await countMessages(bed)) - before, 0);
    });

  it('is kept: nodemailer, with STARTTLS, with TLS from the first byte, and without', async () => {
    for (const [way, options] of Object.entries({
      starttls: { requireTLS: true },
      tls: { secure: true },
      none: { ignoreTLS: true },
    })) {
      const program = mailProgram(bed, { ...options, auth: auth() });
      await program.sendMail({
        from: 'Shop <app@shop.example>',
        to: `${way}@example.net`,
        bcc: 'hidden@example.net',
        subject: 'Hello',
        html: '<p>Hello</p>',
      });
      program.close();
      const message = await latest(`to=${way}@example.net`);
      assert.deepEqual(
        [message.from, message.recipients, message.html.trim()],
        ['Shop <app@shop.example>', [`${way}@example.net`, 'hidden@example.net'], '<p>Hello</p>'],
      );
    }
  });

  it('may carry 100 MB of files, in six messages', async () => {
    const program = mailProgram(bed, { auth: auth() });
    const content = Buffer.alloc(17_000_000, 'Galley proofs email. ');
    const size = (await bed.app.call('GET /v1/sandbox/smtp')).body.size_bytes;
    for (let n = 0; n < 6; n += 1)
      await program.sendMail({
        from: 'app@shop.example',
        to: `large${n}@example.net`,
        subject: `Large ${n}`,
        text: 'See the file.',
        attachments: [{ filename: `file${n}.bin`, content: Buffer.concat([Buffer.from(String(n)), content]) }],
      });
    program.close();
    for (let n = 0; n < 6; n += 1) {
      const { attachments, text } = await latest(`to=large${n}@example.net`);
      assert.deepEqual([text.trim(), attachments[0].size_bytes], ['See the file.', 17_000_001]);
    }
    const last = await latest('to=large5@example.net');
    const file = await bed.app.call(`GET ${last.attachments[0].url}`);
    assert.ok(file.body.equals(Buffer.concat([Buffer.from('5'), content])));
    const inboxNow = (await bed.app.call('GET /v1/sandbox/smtp')).body;
    assert.ok(inboxNow.size_bytes - size > 6 * 17_000_000);
    assert.equal(inboxNow.dropped_count, 0);
  });
});

describe('the login of an inbox', () => {
  it('opens no connection with another password, with the one before, or once the inbox is gone', async () => {
    const { smtp_user: user, smtp_password: first } = (
      await bed.app.call('POST /v1/sandbox', { body: { name: 'short' } })
    ).body;
    const tried = async (password: string): Promise<string> => {
      const client = await connectSmtp(bed.port);
      await client.say('EHLO dev.example');
      const answer = await plain(client, user, password);
      client.close();
      return answer.slice(0, 3);
    };
    assert.deepEqual([await tried(first), await tried('wrong')], ['235', '535']);
    const { smtp_password: second } = (await bed.app.call('POST /v1/sandbox/short/password')).body;
    assert.deepEqual([await tried(first), await tried(second)], ['535', '235']);
    await bed.app.call('DELETE /v1/sandbox/short');
    assert.equal(await tried(second), '535');
  });

  it('is refused, in words, once its inbox is deleted while a program is connected', async () => {
    const made = (await bed.app.call('POST /v1/sandbox', { body: { name: 'left' } })).body;
    const client = await connectSmtp(bed.port);
    await client.say('EHLO dev.example');
    assert.match(await plain(client, made.smtp_user, made.smtp_password), /^235/);
    await bed.app.call('DELETE /v1/sandbox/left');
    await client.say('MAIL FROM:<a@b.example>');
    await client.say('RCPT TO:<c@d.example>');
    await client.say('DATA');
    assert.match(await client.say('Subject: Hi\r\n\r\nHi\r\n.'), /^550 5\.7\.1 No sandbox inbox has the id/);
    client.close();
  });
});
