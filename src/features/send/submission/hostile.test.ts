// Submission against those who mean harm: passwords that are guessed, connections that are held, commands that are
// smuggled.
import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import tls from 'node:tls';
import { connectSmtp, type SmtpClient } from '../../../../test/harness/smtp-client.ts';
import { createLog } from '../../../platform/log/index.ts';
import { makeCertificate } from '../../../platform/certificates/index.ts';
import { createSubmissionListener, SmtpRefusal, type SmtpListener } from '../../../platform/mail/index.ts';
import { countMessages, DOMAIN, LOGIN, mailProgram, startBed, type Bed } from './submission.fixture.ts';

const plain = (user: string, pass: string): string => Buffer.from(`\0${user}\0${pass}`).toString('base64');

let bed: Bed;
before(async () => {
  // Every address of the machine: nothing is taken without encryption.
  bed = await startBed({ GALLEY_HOST: '0.0.0.0', GALLEY_WRONG_KEYS_PER_MINUTE: '15' });
});
after(() => bed.close());

async function encrypted(port = bed.port): Promise<SmtpClient> {
  const client = await connectSmtp(port);
  await client.say('EHLO client.test');
  await client.say('STARTTLS');
  await client.startTls();
  await client.say('EHLO client.test');
  return client;
}

async function loggedIn(): Promise<SmtpClient> {
  const client = await encrypted();
  assert.match(await client.say(`AUTH PLAIN ${plain(LOGIN.user, LOGIN.pass)}`), /^235 /);
  return client;
}

describe('a connection that is not encrypted', () => {
  it('is offered no login, may not log in, and sends nothing', async () => {
    const client = await connectSmtp(bed.port);
    const offers = await client.say('EHLO client.test');
    assert.match(offers, /STARTTLS/);
    assert.match(offers, /SIZE 157286400/);
    assert.match(offers, /8BITMIME/);
    assert.match(offers, /SMTPUTF8/);
    assert.match(offers, /PIPELINING/);
    assert.doesNotMatch(offers, /AUTH|DSN/);
    assert.match(await client.say(`AUTH PLAIN ${plain(LOGIN.user, LOGIN.pass)}`), /^538 .*STARTTLS/);
    assert.match(await client.say('MAIL FROM:<a@b.example>'), /^530 5\.7\.0 Log in first/);
    client.close();
  });

  it('has what it said before STARTTLS forgotten', async () => {
    const client = await connectSmtp(bed.port);
    await client.say('EHLO client.test');
    client.write(`STARTTLS\r\nEHLO smuggled.test\r\nAUTH PLAIN ${plain(LOGIN.user, LOGIN.pass)}\r\n`);
    assert.match(await client.answer(), /^220 /);
    await client.startTls();
    assert.match(await client.say('MAIL FROM:<a@b.example>'), /^503 .*EHLO first/);
    client.close();
  });
});

describe('commands', () => {
  it('end with CRLF: a bare line feed smuggles none', async () => {
    const client = await loggedIn();
    await client.say(`MAIL FROM:<ann@${DOMAIN}>`);
    assert.match(await client.say('RCPT TO:<bob@example.net>\nRCPT TO:<eve@example.net>'), /^500 5\.5\.2/);
    client.close();
  });

  it('are not read out of a message whose end is another server’s', async () => {
    for (const end of ['\n.\n', '\r\n.\n', '\n.\r\n', '\r.\r']) {
      const before = await countMessages(bed);
      const client = await loggedIn();
      await client.say(`MAIL FROM:<ann@${DOMAIN}>`);
      await client.say('RCPT TO:<bob@example.net>');
      await client.say('DATA');
      client.write(
        `From: ann@${DOMAIN}\r\nSubject: x\r\n\r\nbody${end}MAIL FROM:<eve@${DOMAIN}>\r\nRCPT TO:<x@y.example>\r\n`,
      );
      assert.match(await client.say('.'), /^250 2\.0\.0 Queued/, JSON.stringify(end));
      assert.equal((await countMessages(bed)) - before, 1, JSON.stringify(end));
      client.close();
    }
  });

  it('of no end, and many that mean nothing, end the connection', async () => {
    const endless = await connectSmtp(bed.port);
    endless.write('EHLO '.padEnd(200_000, 'x'));
    assert.match(await endless.answer(), /^421 /);
    endless.close();
    const garbage = await connectSmtp(bed.port);
    await garbage.say('EHLO client.test');
    garbage.write('XYZ\r\n'.repeat(1000));
    let last = '';
    for (let answer = await garbage.answer(); answer !== 'closed'; answer = await garbage.answer()) last = answer;
    assert.match(last, /^421 .*too many unrecognized commands/);
    garbage.close();
  });

  it('of who is logged in, and sends the data of nothing, are refused', async () => {
    const client = await loggedIn();
    assert.match(await client.say('DATA'), /^503 /);
    assert.match(await client.say(`MAIL FROM:<ann@${DOMAIN}> SIZE=99999999999`), /^552 5\.3\.4/);
    assert.match(await client.say('AUTH PLAIN AAAA'), /^503 /);
    client.close();
  });
});

describe('passwords that are guessed', () => {
  const guess = (client: SmtpClient, user: string, place: number): Promise<string> =>
    client.say(`AUTH PLAIN ${plain(user, `guess ${place}`)}`);

  it('end their connection at the fifth', async () => {
    const client = await encrypted();
    const answers: string[] = [];
    for (let place = 0; place < 5; place += 1) answers.push(await guess(client, `one@${DOMAIN}`, place));
    assert.deepEqual(
      answers.map((answer) => answer.slice(0, 9)),
      [...Array.from({ length: 4 }, () => '535 5.7.8'), '421 4.7.0'],
    );
    assert.match(
      answers[4]!,
      /5 logins failed on this connection; the last: 5\.7\.8 The login or the password is wrong/,
    );
  });

  it('are bounded for a login, and for an address, which is told; whoever was right before goes on', async () => {
    await mailProgram(bed).verify();
    const answers: string[] = [];
    // A guess comes back every four seconds: the twenty take as long on a busy machine.
    await bed.app.clock.holding(async () => {
      for (let place = 0; place < 20; place += 1) {
        const client = await encrypted();
        answers.push(await guess(client, place < 11 ? LOGIN.user : `other${place}@${DOMAIN}`, place));
        client.close();
      }
    });
    assert.match(
      answers[10]!,
      /^454 4\.7\.0 More than 1[05] wrong passwords (were given for this login|came from your address) within a minute\. Try again in \d+ seconds?\.$/,
    );
    assert.match(answers.at(-1)!, /^454 4\.7\.0 More than 15 wrong passwords came from your address within a minute\./);
    await mailProgram(bed).verify();
    bed.app.clock.advance(60_000);
    const client = await encrypted();
    assert.match(await guess(client, `late@${DOMAIN}`, 0), /^535 /);
    client.close();
  });
});

describe('connections that are held', () => {
  const login = { accountId: 'one', domain: DOMAIN, name: `ann@${DOMAIN}` };
  let listener: SmtpListener;
  const started: SmtpClient[] = [];

  before(async () => {
    listener = await createSubmissionListener({
      host: '127.0.0.1',
      port: 0,
      tls: makeCertificate({ commonName: 'localhost' }),
      isTlsFromStart: false,
      takesPlain: true,
      sizeBytesMax: 10_000,
      log: createLog('silent'),
      accept: async () => true,
      store: async () => {},
      authenticate: async ({ name }) =>
        name === 'nobody' ? new SmtpRefusal(535, '5.7.8 no') : { ...login, accountId: name },
      limits: {
        sessionsPerAccountMax: 2,
        loginTimeoutMs: 400,
        connectionsPerAddressMax: 6,
        receivingBytesPerAccountMax: 3000,
      },
    });
  });
  after(async () => {
    for (const client of started) client.close();
    await listener.close();
  });

  async function open(): Promise<SmtpClient & { greeting: string }> {
    const client = await connectSmtp(listener.port);
    started.push(client);
    if (client.greeting.startsWith('220')) await client.say('EHLO client.test');
    return client;
  }

  it('by one account are as many as it may have; another gets its own', async () => {
    const own = await Promise.all([open(), open(), open()]);
    const answers: string[] = [];
    for (const client of own) answers.push(await client.say(`AUTH PLAIN ${plain('big', 'x')}`));
    assert.match(answers[2]!, /^421 4\.7\.0 This account has 2 connections, as many as it may have; use those/);
    const other = await open();
    assert.match(await other.say(`AUTH PLAIN ${plain('small', 'x')}`), /^235 /);
    // What the big one does not finish keeps the small one from nothing.
    await own[0]!.say('MAIL FROM:<a@b.example>');
    await own[0]!.say('RCPT TO:<c@d.example>');
    await own[0]!.say('DATA');
    own[0]!.write('x'.repeat(2900));
    await own[1]!.say('MAIL FROM:<a@b.example>');
    await own[1]!.say('RCPT TO:<c@d.example>');
    await own[1]!.say('DATA');
    assert.match(await own[1]!.say(`${'y'.repeat(1000)}\r\n.`), /^452 .*Too many messages at once/);
    await other.say('MAIL FROM:<a@b.example>');
    await other.say('RCPT TO:<c@d.example>');
    await other.say('DATA');
    assert.match(await other.say(`${'z'.repeat(1000)}\r\n.`), /^250 /);
    for (const client of [...own, other]) client.close();
  });

  it('by one that does not log in end, and so do more than an address may have', async () => {
    const late = await open();
    assert.match(await late.answer(), /^421 4\.7\.0 Nobody logged in within 0\.4 seconds/);
    const all = await Promise.all(Array.from({ length: 7 }, () => connectSmtp(listener.port)));
    assert.equal(
      all.filter(({ greeting }) => greeting.startsWith('421 Too many connections from your address')).length,
      1,
    );
    for (const client of all) client.close();
  });

  it('that are no TLS on the port of TLS trouble nobody', async () => {
    const socket = net.connect(bed.tlsPort, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('EHLO client.test\r\n'.repeat(100));
    await new Promise((resolve) => socket.once('close', resolve));
    const secure = tls.connect({ port: bed.tlsPort, host: '127.0.0.1', rejectUnauthorized: false });
    const [greeting] = await new Promise<[Buffer]>((resolve) => secure.once('data', (data) => resolve([data])));
    assert.match(greeting.toString(), /^220 /);
    secure.destroy();
  });
});
