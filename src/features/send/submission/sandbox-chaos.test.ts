// An inbox refuses on purpose: what programs that log in with its login are answered then, and nobody else.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectSmtp, type SmtpClient } from '../../../../test/harness/smtp-client.ts';
import { listenForSubmission } from './listen.ts';
import { LOGIN, mailProgram, startBed, type Bed } from './submission.fixture.ts';

let bed: Bed;
/** The inbox whose setting changes, another one of its account, and one of another account. */
let wild: any;
let calm: any;
let theirs: any;

before(async () => {
  bed = await startBed();
  const { body } = await bed.app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  const make = async (name: string, headers: Record<string, string> = {}) =>
    (await bed.app.call('POST /v1/sandbox', { body: { name }, headers })).body;
  [wild, calm] = [await make('wild'), await make('calm')];
  theirs = await make('wild', { 'x-mailgun-on-behalf-of': body.subaccount.id });
});
after(() => bed.close());

async function setChaos(chaos: unknown): Promise<void> {
  const { status, body } = await bed.app.call('PATCH /v1/sandbox/wild', { body: { chaos } });
  assert.equal(status, 200, JSON.stringify(body));
}

const authLine = (inbox: any, password = inbox.smtp_password): string =>
  `AUTH PLAIN ${Buffer.from(`\0${inbox.smtp_user}\0${password}`).toString('base64')}`;

async function connected(port = bed.port): Promise<SmtpClient> {
  const client = await connectSmtp(port);
  await client.say('EHLO dev.example');
  return client;
}

/** What nodemailer says of a message: 250, or the code and the words of the refusal. */
async function sent(auth: { user: string; pass: string }): Promise<[number, string]> {
  const program = mailProgram(bed, { auth });
  const mail = { from: 'app@shop.example', to: 'bob@example.net', subject: 'Hello', text: 'Hello' };
  try {
    const { response } = await program.sendMail(mail);
    return [Number(response.slice(0, 3)), response];
  } catch (error) {
    const { responseCode = 0, response = '' } = error as { responseCode?: number; response?: string };
    return [responseCode, response];
  } finally {
    program.close();
  }
}
const of = (inbox: any) => ({ user: inbox.smtp_user, pass: inbox.smtp_password });
const countOf = async (): Promise<number> => (await bed.app.call('GET /v1/sandbox/wild')).body.message_count;

const REFUSED: [trigger: string, code: number, enhanced: string, what: string][] = [
  ['sender', 451, '4.1.0', 'sender'],
  ['recipient', 550, '5.1.0', 'recipient'],
  ['authentication', 535, '5.7.0', 'login'],
  ['authentication', 454, '4.7.0', 'login'],
];

describe('an inbox that refuses on purpose', () => {
  for (const [trigger, code, enhanced, what] of REFUSED)
    it(`answers with ${code}, and says why: ${trigger}`, async () => {
      await setChaos({ [trigger]: { error_code: code, probability: 100 } });
      const before = await countOf();
      const [answered, words] = await sent(of(wild));
      assert.equal(answered, code);
      assert.equal(
        words,
        `${code} ${enhanced} The chaos setting of the inbox "wild" refuses the ${what} on purpose, in 100 % of cases`,
      );
      assert.equal(await countOf(), before);
    });

  it('refuses nothing at 0 percent, or when it is off', async () => {
    const never = { error_code: 599, probability: 0 };
    await setChaos({ sender: never, recipient: never, authentication: never });
    assert.equal((await sent(of(wild)))[0], 250);
    await setChaos(null);
    assert.equal((await sent(of(wild)))[0], 250);
  });

  it('leaves other inboxes and logins of domains alone', async () => {
    const always = { error_code: 550, probability: 100 };
    await setChaos({ sender: always, recipient: always, authentication: always });
    assert.equal((await sent(of(wild)))[0], 550);
    for (const auth of [of(calm), of(theirs), LOGIN]) assert.equal((await sent(auth))[0], 250);
  });

  it('tells nobody who does not know the password', async () => {
    await setChaos({ authentication: { error_code: 454, probability: 100 } });
    const client = await connected();
    assert.match(await client.say(authLine(wild, 'wrong')), /^535 5\.7\.8 The login or the password is wrong/);
    assert.match(await client.say(authLine(wild)), /^454 4\.7\.0 The chaos setting/);
    client.close();
  });

  it('counts no such login as one that failed', async () => {
    await setChaos({ authentication: { error_code: 535, probability: 100 } });
    const client = await connected();
    for (let n = 0; n < 7; n += 1) assert.match(await client.say(authLine(wild)), /^535 5\.7\.0 The chaos setting/);
    client.close();
    for (let n = 0; n < 12; n += 1) {
      const each = await connected();
      assert.match(await each.say(authLine(wild)), /^535 5\.7\.0 The chaos setting/);
      each.close();
    }
    const last = await connected();
    assert.match(await last.say(authLine(wild, 'wrong')), /^535 5\.7\.8 The login or the password is wrong/);
    await setChaos(null);
    assert.match(await last.say(authLine(wild)), /^235/);
    last.close();
  });

  it('takes up a change with the next message of a connection that is open', async () => {
    await setChaos(null);
    const client = await connected();
    assert.match(await client.say(authLine(wild)), /^235/);
    assert.match(await client.say('MAIL FROM:<a@b.example>'), /^250/);
    await setChaos({ recipient: { error_code: 450, probability: 100 } });
    assert.match(await client.say('RCPT TO:<bob@example.net>'), /^250/);
    assert.match(await client.say('RSET'), /^250/);
    assert.match(await client.say('MAIL FROM:<a@b.example>'), /^250/);
    assert.match(await client.say('RCPT TO:<bob@example.net>'), /^450 4\.1\.0 The chaos setting/);
    await setChaos({ sender: { error_code: 421, probability: 100 } });
    assert.match(await client.say('RSET'), /^250/);
    assert.match(await client.say('MAIL FROM:<a@b.example>'), /^421 4\.1\.0 The chaos setting/);
    client.close();
  });

  it('refuses as often as it is set to', async () => {
    // Of 30 percent, what is below 0.3 is refused. A trigger that is not set asks for no number.
    const numbers = [0.299, 0.3, 0, 0.999, 0.31, 0.1];
    let drawn = 0;
    const random = (): number => numbers[drawn++]!;
    const listener = await listenForSubmission(bed.app.galley.outside, { random });
    try {
      await setChaos({ recipient: { error_code: 550, probability: 30 } });
      const client = await connected(Number(/smtp:\/\/[^,]*?:(\d+)/.exec(listener.about)?.[1]));
      assert.match(await client.say(authLine(wild)), /^235/);
      assert.match(await client.say('MAIL FROM:<a@b.example>'), /^250/);
      const codes: string[] = [];
      for (let n = 0; n < numbers.length; n += 1)
        codes.push((await client.say(`RCPT TO:<r${n}@example.net>`)).slice(0, 3));
      assert.deepEqual(codes, ['550', '250', '550', '250', '250', '550']);
      assert.match(await client.say('DATA'), /^354/);
      assert.match(await client.say('Subject: Some\r\n\r\nHi\r\n.'), /^250/);
      client.close();
      assert.equal(drawn, numbers.length);
    } finally {
      await listener.close();
    }
    const { body } = await bed.app.call('GET /v1/sandbox/wild/messages/latest?subject=some');
    assert.deepEqual(body.recipients, ['r1@example.net', 'r3@example.net', 'r4@example.net']);
  });
});
