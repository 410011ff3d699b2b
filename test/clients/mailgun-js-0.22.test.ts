// The client that mailgun.js replaced, and what is built on it, unmodified: many programs still run them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startReceiver } from '../harness/webhook-receiver.ts';
import { requireTestPackage } from '../harness/test-packages.ts';
import { startSendingApp, until, type SendingApp } from './sending-clients.fixture.ts';

const mailgunJs = requireTestPackage('mailgun-js');
const { NodeMailgun } = requireTestPackage('ts-mailgun');
const Analytics = requireTestPackage('@tryghost/email-analytics-provider-mailgun');

let bed: SendingApp;
let sandbox: string;
/** How each of them is told where the API is. */
let place: { host: string; port: string; protocol: string; endpoint: string };
let client: any;
before(async () => {
  bed = await startSendingApp();
  ({ sandbox } = bed);
  const { hostname: host, port } = new URL(bed.app.url);
  place = { host, port, protocol: 'http:', endpoint: '/v3' };
  client = mailgunJs({ apiKey: bed.app.key, domain: sandbox, ...place });
});
after(() => bed.app.close());

const idOf = (id: string): string => id.slice(1, -1);

describe('mailgun-js 0.22', () => {
  it('sends a message with options and variables, and reads its events and the stored message', async () => {
    const sent = await client.messages().send({
      from: `Ann <ann@${sandbox}>`,
      to: [`Bob <delivered@${sandbox}>`, `bounced+550-5.1.1@${sandbox}`],
      cc: `delivered+cc@${sandbox}`,
      subject: 'Garden notes',
      text: 'The roses are in flower.',
      'o:tag': ['spring', 'roses'],
      'o:tracking': 'yes',
      'o:testmode': false,
      'v:order': { number: 17 },
      'h:Reply-To': `answers@${sandbox}`,
      'h:X-Mailgun-Variables': JSON.stringify({ season: 'May' }),
    });
    assert.match(sent.id, /^<.+@.+>$/);
    assert.equal(sent.message, 'Queued. Thank you.');
    const query = { 'message-id': idOf(sent.id), event: 'delivered OR failed', limit: 300 };
    const items = await until(bed.app, async () => (await client.events().get(query)).items, 3);
    assert.deepEqual(items.map(({ event, recipient, severity }: any) => [event, recipient, severity]).sort(), [
      ['delivered', `delivered+cc@${sandbox}`, undefined],
      ['delivered', `delivered@${sandbox}`, undefined],
      ['failed', `bounced+550-5.1.1@${sandbox}`, 'permanent'],
    ]);
    for (const { tags, 'user-variables': variables, flags } of items)
      assert.deepEqual(
        [tags, variables, flags['is-test-mode']],
        [['spring', 'roses'], { order: '{"number":17}', season: 'May' }, false],
      );
    const { key } = items[0].storage;
    const stored = await client.messages(key).info();
    assert.deepEqual(
      [stored.subject, stored['body-plain'].trim(), stored.From],
      ['Garden notes', 'The roses are in flower.', `Ann <ann@${sandbox}>`],
    );
    assert.ok(
      stored['message-headers'].some(([name, value]: any) => name === 'Reply-To' && value === `answers@${sandbox}`),
    );
  });

  it('sends to a batch, each with variables of their own', async () => {
    const to = Array.from({ length: 500 }, (_, number) => `delivered+b${number}@${sandbox}`);
    const variables = Object.fromEntries(to.map((address, number) => [address, { name: `Reader ${number}` }]));
    const sent = await client.messages().send({
      from: `ann@${sandbox}`,
      to,
      subject: 'Hello %recipient.name%',
      text: 'Hello %recipient.name%',
      'recipient-variables': variables,
    });
    const query = { 'message-id': idOf(sent.id), event: 'accepted', limit: 300 };
    const found = new Set<string>();
    await bed.eventsOf({ 'message-id': query['message-id'], event: 'accepted' }, 300);
    for (let page = await client.events().get(query); page.items.length > 0;) {
      for (const { recipient } of page.items) found.add(recipient);
      page = await client.get(page.paging.next.replace(`${bed.app.url}/v3`, ''));
    }
    assert.deepEqual([...found].sort(), [...to].sort());
  });

  it('attaches files: bytes, with a name and a type, from a path, inline', async () => {
    const { Attachment } = client;
    const sent = await client.messages().send({
      from: `ann@${sandbox}`,
      to: `delivered@${sandbox}`,
      subject: 'Files',
      html: '<p>Roses <img src="cid:rose.png"></p>',
      attachment: [
        Buffer.from('bytes alone'),
        new Attachment({ data: Buffer.from('a,b'), filename: 'list.csv', contentType: 'text/csv', knownLength: 3 }),
        import.meta.filename,
      ],
      inline: new Attachment({ data: Buffer.from('picture'), filename: 'rose.png', contentType: 'image/png' }),
    });
    const stored = await bed.storedOf({ 'message-id': idOf(sent.id) });
    assert.deepEqual(
      stored.attachments.map(({ name, 'content-type': type }: any) => [name, type]),
      [
        ['file', 'application/octet-stream'],
        ['list.csv', 'text/csv'],
        ['mailgun-js-0.22.test.ts', stored.attachments[2]['content-type']],
        ['rose.png', 'image/png'],
      ],
    );
    assert.deepEqual(Object.keys(stored['content-id-map']), ['<rose.png>']);
  });

  it('sends a whole message', async () => {
    const message = `From: ann@${sandbox}\r\nTo: All\r\nSubject: Whole\r\n\r\nHello\r\n`;
    const sent = await client.messages().sendMime({ to: `delivered@${sandbox}`, message, 'o:tag': 'whole' });
    assert.equal(sent.message, 'Queued. Thank you.');
    assert.equal((await bed.storedOf({ 'message-id': idOf(sent.id) })).subject, 'Whole');
  });

  it('reads domains', async () => {
    const { items } = await client.domains().list();
    assert.ok(items.some(({ name }: any) => name === sandbox));
    assert.equal((await client.domains(sandbox).info()).domain.name, sandbox);
  });

  it('adds, reads and deletes suppressions, one and several', async () => {
    for (const [list, entry] of [
      ['bounces', { code: 550, error: 'No such user' }],
      ['complaints', {}],
      ['unsubscribes', { tag: 'news' }],
    ] as const) {
      const [one, other] = [`one@${list}.example`, `other@${list}.example`];
      assert.equal(typeof (await client[list]().create({ address: one, ...entry })).message, 'string');
      assert.equal((await client[list](one).info()).address, one);
      const listed = async (): Promise<string[]> =>
        (await client[list]().list()).items
          .map(({ address }: any) => address)
          .filter((address: string) => address.endsWith(`@${list}.example`));
      assert.deepEqual(await listed(), [one]);
      assert.equal((await client[list](one).delete()).address, one);
      await assert.rejects(client[list](one).info(), { statusCode: 404 });
      await client.post(`/${sandbox}/${list}`, [{ address: one }, { address: other }]);
      assert.deepEqual((await listed()).sort(), [one, other]);
    }
  });

  it('adds, reads, changes and deletes webhooks', async () => {
    const [url, other] = ['https://shop.example.com/events', 'https://shop.example.com/more'];
    const path = `/domains/${sandbox}/webhooks`;
    await client.post(path, { id: 'delivered', url });
    assert.deepEqual((await client.get(path)).webhooks.delivered, { urls: [url] });
    await client.put(`${path}/delivered`, { url: [url, other] });
    assert.deepEqual((await client.get(`${path}/delivered`)).webhook.urls, [url, other]);
    await client.delete(`${path}/delivered`);
    await assert.rejects(client.get(`${path}/delivered`), { statusCode: 404 });
  });

  it('recognizes a webhook that was posted, and no other', async () => {
    const receiver = await startReceiver();
    const allowed = await startSendingApp({ GALLEY_ALLOW_HOSTS: receiver.host });
    const url = `${receiver.url}/hook`;
    await allowed.app.call(`POST /v3/domains/${allowed.sandbox}/webhooks`, { body: { id: 'delivered', url } });
    const letter = { from: `ann@${allowed.sandbox}`, to: `delivered@${allowed.sandbox}`, subject: 'x', text: 'x' };
    await allowed.app.call(`POST /v3/${allowed.sandbox}/messages`, { body: letter });
    const [posted] = await until(allowed.app, async () => receiver.at('/hook'), 1);
    const { http_signing_key: apiKey } = (await allowed.app.call('GET /v5/accounts/http_signing_key')).body;
    const { timestamp, token, signature } = posted.signature;
    const recognizes = (key: string, said: [string, string, string]): boolean =>
      mailgunJs({ apiKey: key, domain: allowed.sandbox, mute: true }).validateWebhook(...said);
    assert.equal(recognizes(apiKey, [timestamp, token, signature]), true);
    assert.equal(recognizes(allowed.app.key, [timestamp, token, signature]), false);
    assert.equal(recognizes(apiKey, [timestamp, `${token}_`, signature]), false);
    assert.equal(recognizes(apiKey, [String(Number(timestamp) + 1), token, signature]), false);
    await allowed.app.close();
    await receiver.close();
  });

  it('adds, lists, changes and deletes credentials', async () => {
    const credentials = (login?: string) => client.domains(sandbox).credentials(login);
    await credentials().create({ login: 'robot', password: 'a-long-password-17' });
    assert.deepEqual(
      (await credentials().list()).items.map(({ login }: any) => login),
      [`robot@${sandbox}`],
    );
    await credentials('robot').update({ password: 'another-long-password' });
    await credentials('robot').delete();
    assert.equal((await credentials().list()).total_count, 0);
  });

  it('hands the words of a refusal on, and the status', async () => {
    const letter = { from: `ann@${sandbox}`, to: `delivered@${sandbox}`, subject: 'x' };
    await assert.rejects(client.messages().send({ ...letter, template: 'welcome' }), {
      statusCode: 400,
      message: /^template: There is no template named "welcome"\.$/,
    });
    await assert.rejects(client.messages().send({ ...letter, text: 'x', to: 'nobody' }), {
      statusCode: 400,
      message: /"nobody" is none/,
    });
    const stranger = mailgunJs({ apiKey: 'wrong', domain: sandbox, ...place });
    await assert.rejects(stranger.messages().send({ ...letter, text: 'x' }), { statusCode: 401, message: 'Forbidden' });
  });
});

describe('ts-mailgun', () => {
  it('sends with tags, variables of recipients and a header of its own', async () => {
    const mailer = new NodeMailgun(bed.app.key, sandbox);
    Object.assign(mailer, { fromEmail: `ann@${sandbox}`, fromTitle: 'Ann', subjectPre: '[Garden] ', options: place });
    mailer.init();
    const to = [`delivered+t1@${sandbox}`, `delivered+t2@${sandbox}`];
    const sent = await mailer.send(
      to,
      'Notes',
      '<p>Roses</p>',
      { [to[0] as string]: { name: 'One' } },
      { 'o:tag': 'ts' },
    );
    assert.equal(sent.message, 'Queued. Thank you.');
    const query = { 'message-id': idOf(sent.id) };
    const delivered = await bed.eventsOf({ ...query, event: 'delivered' }, 2);
    assert.deepEqual(delivered.map(({ recipient, tags }: any) => [recipient, tags]).sort(), [
      [to[0], ['ts']],
      [to[1], ['ts']],
    ]);
    const stored = await bed.storedOf(query);
    assert.deepEqual(
      [stored.subject, stored.From, stored['body-html'].trim()],
      ['[Garden] Notes', `Ann <ann@${sandbox}>`, '<p>Roses</p><br><br><a href="%unsubscribe_url%">Unsubscribe</a>'],
    );
    const template = { subject: 'Hello {{name}}', body: '<p>{{name}}</p>' };
    const other = await mailer.sendFromTemplate(to[0], template, { name: 'Bob' }, { 'recipient-variables': {} });
    assert.equal((await bed.storedOf({ 'message-id': idOf(other.id) })).subject, '[Garden] Hello Bob');
  });
});

describe('@tryghost/email-analytics-provider-mailgun', () => {
  it('pages through 1,000 events of two tags, back from now and on from a moment', async () => {
    const to = Array.from({ length: 1000 }, (_, number) =>
      number === 0 ? `bounced@${sandbox}` : number === 1 ? `complained@${sandbox}` : `delivered+g${number}@${sandbox}`,
    );
    const { messages } = mailgunJs({ apiKey: bed.app.key, domain: sandbox, ...place });
    const letter = { from: `ann@${sandbox}`, subject: 'Post', text: 'A post', 'v:email-id': 'post-17' };
    const tags = { 'o:tag': ['bulk-email', 'ghost-blog'] };
    const sent = await messages.call(client).send({ ...letter, to, 'recipient-variables': {}, ...tags });
    await messages.call(client).send({ ...letter, to: `delivered+other@${sandbox}`, 'o:tag': 'bulk-email' });
    await bed.eventsOf({ 'message-id': idOf(sent.id), event: 'complained' }, 1);
    const { key: apiKey, url } = bed.app;
    const config: Record<string, unknown> = {
      bulkEmail: { mailgun: { apiKey, domain: sandbox, baseUrl: `${url}/v3` } },
      'bulkEmail:mailgun:tag': 'ghost-blog',
    };
    const provider = new Analytics({ config: { get: (name: string) => config[name] }, settings: { get: () => null } });
    for (const fetch of ['fetchAll', 'fetchLatest']) {
      const events: any[] = [];
      const keep = async (batch: any[]) => void events.push(...batch);
      const run = () =>
        fetch === 'fetchAll' ? provider.fetchAll(keep) : provider.fetchLatest(new Date(Date.now() - 60_000), keep);
      const all = async () => {
        events.length = 0;
        await run();
        return events;
      };
      await until(bed.app, all, 1001);
      const counts: Record<string, number> = {};
      for (const { type, severity, emailId, providerId, timestamp } of events) {
        counts[`${type} ${severity ?? ''}`.trim()] = (counts[`${type} ${severity ?? ''}`.trim()] ?? 0) + 1;
        assert.deepEqual([emailId, providerId, timestamp instanceof Date], ['post-17', idOf(sent.id), true]);
      }
      assert.deepEqual(counts, { delivered: 999, 'failed permanent': 1, complained: 1 });
      assert.equal(new Set(events.map(({ type, recipientEmail }) => `${type} ${recipientEmail}`)).size, 1001);
    }
  });
});
