import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectSmtp, type SmtpClient } from '../../../test/harness/smtp-client.ts';
import { createLog } from '../log/index.ts';
import { createSmtpListener, type SmtpListener } from './index.ts';

let listener: SmtpListener;
let client: SmtpClient;
const stored: string[] = [];

before(async () => {
  listener = await createSmtpListener({
    host: '127.0.0.1',
    port: 0,
    sizeBytesMax: 1_000_000,
    accept: async () => true,
    store: async (raw) => void stored.push(raw.toString('latin1')),
    log: createLog('silent'),
  });
});
after(() => listener.close());

async function begin(): Promise<void> {
  stored.length = 0;
  client = await connectSmtp(listener.port);
  assert.match(await client.say('EHLO client.test'), /^250/);
}

describe('a bare LF', () => {
  it('does not end a command', async () => {
    await begin();
    client.write('NOOP\nNOOP\r\n');
    assert.match(await client.answer(), /^500 5\.5\.2 A command ends with CRLF/);
    client.write('MAIL FROM:<a@client.test>\n');
    client.write('RCPT TO:<b@galley.test>\n');
    client.write('\r\n');
    assert.match(await client.answer(), /^500 5\.5\.2 /);
    assert.match(await client.say('RCPT TO:<b@galley.test>'), /^503/);
    assert.match(await client.say('NOOP'), /^250/);
    client.close();
  });

  it('ends no message, whatever stands around the dot', async () => {
    for (const end of ['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r', '\r\r\n.\n', '\n.\r']) {
      await begin();
      for (const line of ['MAIL FROM:<a@client.test>', 'RCPT TO:<b@galley.test>', 'DATA']) await client.say(line);
      client.write(
        `Subject: one\r\n\r\nfirst${end}MAIL FROM:<evil@client.test>\r\nRCPT TO:<b@galley.test>\r\nDATA\r\n` +
          'Subject: two\r\n\r\nsmuggled\r\n.\r\n',
      );
      assert.match(await client.answer(), /^250/);
      assert.match(await client.say('NOOP'), /^250/);
      assert.equal(stored.length, 1, JSON.stringify(end));
      assert.match(stored[0] ?? '', /smuggled/);
      client.close();
    }
  });

  it('stands in no way of commands that come in pieces, together, or before a message', async () => {
    await begin();
    for (const piece of ['NO', 'OP\r', '\nNOOP\r\nNO']) client.write(piece);
    assert.match(await client.answer(), /^250/);
    assert.match(await client.answer(), /^250/);
    assert.match(await client.say('OP'), /^250/);
    client.write(`${'NOOP\r\n'.repeat(500)}`);
    for (let count = 0; count < 500; count += 1) assert.match(await client.answer(), /^250/);
    client.write(
      'MAIL FROM:<a@client.test>\r\nRCPT TO:<b@galley.test>\r\nDATA\r\nSubject: x\r\n\r\nbare\nline\r\n.\r\nNOOP\r\n',
    );
    for (const wanted of [/^250/, /^250/, /^354/, /^250/, /^250/]) assert.match(await client.answer(), wanted);
    assert.deepEqual(stored, ['Subject: x\r\n\r\nbare\nline\r\n']);
    client.close();
  });

  it('cannot fill memory in a command that does not end', async () => {
    await begin();
    client.write('NOOP '.repeat(5_000));
    assert.match(await client.answer(), /^421 .*too long|^closed/);
    client.close();
  });
});
