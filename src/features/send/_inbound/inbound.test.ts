// Mail that comes in for domains, by SMTP: whom it goes to, what is refused, and how it is kept.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { after, before, beforeEach, describe, it } from 'node:test';
import { connectSmtp } from '../../../../test/harness/smtp-client.ts';
import { startApp, type Answer, type App } from '../../../../test/harness/start-app.ts';
import { defineFeature } from '../../../platform/feature/index.ts';
import { createSecrets } from '../../../platform/secrets/index.ts';
import { SmtpRefusal } from '../../../platform/mail/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { packValue, unpackValue } from '../../../platform/blobs/index.ts';
import { inboundTakers, type Addressed, type Arrival, type InboundTaker, type Offered } from './index.ts';

const DOMAIN = 'in.example.com';
const taken: { taker: string; arrival: Arrival }[] = [];
const asked: Addressed[] = [];
const offered: Offered[] = [];

const single: InboundTaker = {
  name: 'single addresses',
  order: 10,
  async takes(_outside, addressed) {
    asked.push(addressed);
    if (addressed.recipient.startsWith('closed@')) return new SmtpRefusal(550, '5.7.1 Only members may write here');
    return addressed.recipient.toLowerCase().startsWith('single@');
  },
  take: async (_outside, _tx, arrival) => void taken.push({ taker: 'single', arrival }),
};
const rest: InboundTaker = {
  name: 'all the rest',
  order: 20,
  takes: async (_outside, { recipient }) => !recipient.startsWith('nobody@'),
  async refuses(_outside, message) {
    offered.push(message);
    return message.raw.includes('Subject: unwanted') ? new SmtpRefusal(550, '5.7.1 Not wanted') : undefined;
  },
  take: async (_outside, _tx, arrival) => void taken.push({ taker: 'rest', arrival }),
};

let app: App;
let otherAccount: Record<string, string>;
before(async () => {
  const takers = defineFeature({ name: 'takers', endpoints: [], adds: [addTo(inboundTakers, rest, single)] });
  app = await startApp({ GALLEY_ROLES: 'api,work,mail' }, { features: [takers] });
  await app.call('POST /v4/domains', { body: { name: DOMAIN, wildcard: true } });
  await app.call('POST /v4/domains', { body: { name: 'narrow.example.com' } });
  const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
  otherAccount = { 'x-service-account-id': id };
  await app.call('POST /v4/domains', { body: { name: DOMAIN }, headers: otherAccount });
});
after(() => app.close());
beforeEach(() => {
  for (const list of [taken, asked, offered]) list.length = 0;
});

interface Said {
  recipients: string[];
  data: string;
}

async function send(
  to: string | string[],
  { subject = 'Hello', from = 'ann@sender.example', text = 'Hello there' } = {},
): Promise<Said> {
  const client = await connectSmtp(app.galley.outside.ownSmtp!.port);
  await client.say('EHLO client.test');
  await client.say(`MAIL FROM:<${from}>`);
  const recipients: string[] = [];
  for (const one of [to].flat()) recipients.push(await client.say(`RCPT TO:<${one}>`));
  if (!recipients.some((reply) => reply.startsWith('250'))) {
    client.close();
    return { recipients, data: '' };
  }
  await client.say('DATA');
  const lines = [
    `From: Ann <${from}>`,
    `To: list@${DOMAIN}`,
    `Subject: ${subject}`,
    'Message-ID: <one@sender.example>',
  ];
  const data = await client.say(`${lines.join('\r\n')}\r\n\r\n${text}\r\n.`);
  client.close();
  return { recipients, data };
}

async function arrived(count: number): Promise<void> {
  while (taken.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('mail for a domain', () => {
  it('goes to who knows the address, and to others what is left', async () => {
    const said = await send([`Single@${DOMAIN}`, `one@${DOMAIN}`, `two@${DOMAIN}`]);
    assert.match(said.data, /^250 /);
    await arrived(2);
    assert.deepEqual(
      taken.map(({ taker, arrival }) => [taker, arrival.domain, arrival.recipients, arrival.sender]).toSorted(),
      [
        ['rest', DOMAIN, [`one@${DOMAIN}`, `two@${DOMAIN}`], 'ann@sender.example'],
        ['single', DOMAIN, [`Single@${DOMAIN}`], 'ann@sender.example'],
      ],
    );
  });

  it('is kept, shown to its account alone, and told as an event', async () => {
    await send(`kept@${DOMAIN}`, { subject: 'Kept' });
    await arrived(1);
    const { key } = taken[0]!.arrival;
    const path = `GET /v3/domains/${DOMAIN}/messages/${key}`;
    const { status, body } = await app.call(path);
    assert.equal(status, 200);
    assert.deepEqual(
      [body.Subject, body.sender, body.recipients, body['body-plain'].trim()],
      ['Kept', 'ann@sender.example', `kept@${DOMAIN}`, 'Hello there'],
    );
    assert.match(JSON.stringify(body['message-headers'][0]), /^\["Received","from client\.test \(/);
    assert.equal((await app.call(path, { headers: otherAccount })).status, 404);
    app.clock.advance(3000);
    const { items } = (await app.call(`GET /v3/${DOMAIN}/events?event=stored&recipient=kept@${DOMAIN}`)).body;
    assert.equal(items.length, 1);
    const { message, storage, flags } = items[0];
    assert.deepEqual(message.headers, {
      to: `list@${DOMAIN}`,
      'message-id': 'one@sender.example',
      from: 'Ann <ann@sender.example>',
      subject: 'Kept',
    });
    assert.deepEqual([storage.key, flags['is-routed'], flags['is-authenticated']], [key, true, false]);
  });

  it('is encrypted where it is kept once its domain wants that, and read back as it came', async () => {
    const { blobs, db } = app.galley.outside;
    const SECRET = 'The code is 271828';
    const kept = async (text: string): Promise<{ shown: any; bytes: string }> => {
      taken.length = 0;
      await send(`sealed@${DOMAIN}`, { subject: 'Sealed', text });
      await arrived(1);
      const { key, id } = taken[0]!.arrival;
      const shown = await app.call(`GET /v3/domains/${DOMAIN}/messages/${key}`);
      const row = db.ofAnyone.selectFrom('sentMessages').select(['content', 'contentDigest']).where('id', '=', id);
      const { content, contentDigest: digest } = await row.executeTakeFirstOrThrow();
      const found: Buffer[] = content ? [Buffer.from(content)] : [];
      for await (const { key: name } of blobs.list())
        if (digest !== null && name.includes(digest)) found.push((await blobs.get(name))!);
      assert.equal(found.length, 1);
      return { shown, bytes: inspect(unpackValue(found[0]!)) };
    };
    const set = (isOn: boolean): Promise<Answer> =>
      app.call(`PUT /v4/domains/${DOMAIN}`, { body: { encrypt_incoming_message: isOn } });
    assert.equal((await set(true)).body.domain.encrypt_incoming_message, true);
    const long = `${SECRET}\r\n${'A line of a long message.\r\n'.repeat(20_000)}`;
    for (const text of [SECRET, long]) {
      const { shown, bytes } = await kept(text);
      assert.deepEqual(
        [shown.status, shown.body['body-plain'].startsWith(SECRET), shown.body.Subject],
        [200, true, 'Sealed'],
      );
      assert.ok(bytes.includes("kind: 'sealed'") && !bytes.includes('271828'), bytes.slice(0, 300));
    }
    assert.equal((await set(false)).body.domain.encrypt_incoming_message, false);
    const { bytes } = await kept(SECRET);
    assert.ok(bytes.includes("kind: 'mime'"), bytes.slice(0, 300));
  });

  it('says whose key is away where it was encrypted with another one', async () => {
    taken.length = 0;
    await send(`sealed@${DOMAIN}`);
    await arrived(1);
    const { key, id, accountId } = taken[0]!.arrival;
    const { db } = app.galley.outside;
    const sealed = createSecrets(randomBytes(32)).sealBytes(Buffer.from('x'), `messages of ${accountId}`);
    const content = packValue({ kind: 'sealed', sealed });
    await db.of(accountId).updateTable('sentMessages').set({ content }).where('id', '=', id).execute();
    const { status, body } = await app.call(`GET /v3/domains/${DOMAIN}/messages/${key}`);
    assert.deepEqual([status, /encrypted with another key.*GALLEY_SECRET_KEY/.test(body.message)], [409, true]);
  });

  it('is refused before the message where nobody takes the address, or somebody wants no mail', async () => {
    const { recipients } = await send([
      `nobody@${DOMAIN}`,
      `closed@${DOMAIN}`,
      'one@elsewhere.example.net',
      'one@below.narrow.example.com',
    ]);
    assert.match(recipients[0]!, /^550 /);
    assert.match(recipients[1]!, /^550 5\.7\.1 Only members may write here/);
    assert.match(recipients[2]!, /^550 /);
    assert.match(recipients[3]!, /^550 /);
    assert.equal(taken.length, 0);
  });

  it('is refused with the message where nobody wants it', async () => {
    assert.match((await send(`one@${DOMAIN}`, { subject: 'unwanted' })).data, /^550 5\.7\.1 Not wanted/);
    assert.deepEqual([taken.length, offered[0]?.recipients], [0, [`one@${DOMAIN}`]]);
    const { data } = await send([`one@${DOMAIN}`, `single@${DOMAIN}`], { subject: 'unwanted' });
    assert.match(data, /^250 /);
    await arrived(1);
    assert.deepEqual(
      taken.map(({ taker }) => taker),
      ['single'],
    );
  });

  it('belongs to the account that had the domain first, and names below it where it takes them', async () => {
    const { data } = await send([`one@deep.below.${DOMAIN}`], { from: '' });
    assert.match(data, /^250 /);
    await arrived(1);
    const account = (await app.call('GET /v5/accounts')).body.id;
    const { arrival } = taken[0]!;
    assert.deepEqual([arrival.domain, arrival.sender], [DOMAIN, '']);
    if (account !== undefined) assert.equal(arrival.accountId, account);
    assert.equal(asked.at(-1)?.domain, DOMAIN);
  });
});

describe('in a service that delivers', () => {
  it('only a verified domain takes mail', async () => {
    const takers = defineFeature({ name: 'takers', endpoints: [], adds: [addTo(inboundTakers, rest)] });
    const live = await startApp({ GALLEY_ROLES: 'api,work,mail', GALLEY_DELIVERY: 'live' }, { features: [takers] });
    try {
      await live.call('POST /v4/domains', { body: { name: DOMAIN } });
      const client = await connectSmtp(live.galley.outside.ownSmtp!.port);
      await client.say('EHLO client.test');
      await client.say('MAIL FROM:<ann@sender.example>');
      assert.match(await client.say(`RCPT TO:<one@${DOMAIN}>`), /^550 /);
      const { name } = (await live.call('GET /v4/domains')).body.items.find(({ type }: any) => type === 'sandbox');
      assert.match(await client.say(`RCPT TO:<one@${name}>`), /^250 /);
      client.close();
    } finally {
      await live.close();
    }
  });
});
