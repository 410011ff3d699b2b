// Spam that comes in, and what domains do about it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { connectSmtp } from '../../../../test/harness/smtp-client.ts';
import { spamdAbsence, startSpamd } from '../../../../test/harness/spamd.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { defineFeature } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { inboundTakers, type Arrival, type InboundTaker } from './index.ts';

const SPAM = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
const MARKS = /^x-(?:mailgun-s|galley-spam)/i;
const arrivals: Arrival[] = [];

const taker: InboundTaker = {
  name: 'all',
  order: 10,
  takes: async () => true,
  take: async (_outside, _tx, arrival) => void arrivals.push(arrival),
};

async function startReceiving(settings: Record<string, string> = {}): Promise<App> {
  const takers = defineFeature({ name: 'takers', endpoints: [], adds: [addTo(inboundTakers, taker)] });
  const app = await startApp({ GALLEY_ROLES: 'api,work,mail', ...settings }, { features: [takers] });
  for (const action of ['disabled', 'block', 'tag'])
    await app.call('POST /v4/domains', { body: { name: `${action}.example.com`, spam_action: action } });
  return app;
}

async function send(app: App, to: string[], { text = 'Hello there', fields = [] as string[] } = {}): Promise<string> {
  const client = await connectSmtp(app.galley.outside.ownSmtp!.port);
  await client.say('EHLO client.test');
  await client.say('MAIL FROM:<ann@sender.example>');
  for (const one of to) assert.match(await client.say(`RCPT TO:<${one}>`), /^250 /);
  await client.say('DATA');
  const lines = [...fields, 'From: Ann <ann@sender.example>', 'Subject: Hello', 'Message-ID: <one@sender.example>'];
  const said = await client.say(`${lines.join('\r\n')}\r\n\r\n${text}\r\n.`);
  client.close();
  return said;
}

/** Fields of the message that came in for a domain which tell of spam. */
async function marksAt(app: App, domain: string): Promise<string[][]> {
  for (;;) {
    const arrival = arrivals.find((one) => one.domain === domain);
    if (arrival) {
      const { body } = await app.call(`GET /v3/domains/${domain}/messages/${arrival.key}`);
      return body['message-headers'].filter(([name]: string[]) => MARKS.test(name!));
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const valueIn = (marks: string[][], name: string): string[] =>
  marks.filter(([one]) => one === name).map(([, value]) => value!);

describe('spam that comes in', () => {
  let app: App;
  before(async () => void (app = await startReceiving()));
  after(() => app.close());
  beforeEach(() => void (arrivals.length = 0));

  it('is refused while it is delivered where the domain blocks it', async () => {
    const said = await send(app, ['one@block.example.com'], { text: SPAM });
    assert.match(said, /^550 5\.7\.1 This message looks like spam \(built-in: \d+(?:\.\d)? of \d+(?:\.\d)?\)/);
    assert.match(await send(app, ['one@block.example.com']), /^250 /);
    assert.deepEqual(await marksAt(app, 'block.example.com'), []);
  });

  it('is marked where the domain tags, as is what is none; marks of its sender are taken off', async () => {
    const fields = ['X-Mailgun-Sflag: No', 'x-mailgun-sscore: -5,', '\tor less', 'X-Galley-Spam: No'];
    assert.match(await send(app, ['one@tag.example.com'], { text: SPAM, fields }), /^250 /);
    const marks = await marksAt(app, 'tag.example.com');
    assert.deepEqual(valueIn(marks, 'X-Mailgun-Sflag'), ['Yes']);
    assert.equal(marks.length, 3, JSON.stringify(marks));
    const [score] = valueIn(marks, 'X-Mailgun-Sscore');
    assert.ok(Number(score) >= 5, score);
    assert.match(valueIn(marks, 'X-Galley-Spam')[0]!, /^Yes, score=[\d.]+, required=[\d.]+, filter=built-in$/);
    arrivals.length = 0;
    await send(app, ['one@tag.example.com']);
    assert.deepEqual(valueIn(await marksAt(app, 'tag.example.com'), 'X-Mailgun-Sflag'), ['No']);
  });

  it('comes in without a word where the domain asks no filter', async () => {
    assert.match(await send(app, ['one@disabled.example.com'], { text: SPAM }), /^250 /);
    assert.deepEqual(await marksAt(app, 'disabled.example.com'), []);
  });

  it('comes in marked where it is blocked, and another domain took it with the same reply', async () => {
    assert.match(await send(app, ['one@block.example.com', 'one@disabled.example.com'], { text: SPAM }), /^250 /);
    assert.deepEqual(valueIn(await marksAt(app, 'block.example.com'), 'X-Mailgun-Sflag'), ['Yes']);
    assert.deepEqual(await marksAt(app, 'disabled.example.com'), []);
  });
});

describe('spam that comes in, with SpamAssassin', { skip: spamdAbsence ?? false }, () => {
  it('is refused by what SpamAssassin says', async () => {
    const spamd = await startSpamd();
    const app = await startReceiving({ GALLEY_SPAMD: spamd.address });
    try {
      const said = await send(app, ['one@block.example.com'], { text: SPAM });
      assert.match(said, /^550 5\.7\.1 This message looks like spam \(spamassassin: \d{3,4}(?:\.\d+)? of 5\)/);
    } finally {
      await app.close();
      await spamd.close();
    }
  });
});
