// What frameworks send with, unmodified: they speak to the sending API through clients that they bring along.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createTransport } from 'nodemailer';
import { requireTestPackage, testPackageFile } from '../harness/test-packages.ts';
import { startSendingApp, type SendingApp } from './sending-clients.fixture.ts';

let bed: SendingApp;
let sandbox: string;
before(async () => {
  bed = await startSendingApp();
  ({ sandbox } = bed);
});
after(() => bed.app.close());

const idOf = (id: string): string => id.replace(/^<|>$/g, '');
const headerOf = (stored: any, name: string): string | undefined =>
  stored['message-headers'].find(([one]: [string]) => one.toLowerCase() === name.toLowerCase())?.[1];
const filesOf = (stored: any): unknown =>
  stored.attachments.map(({ name, 'content-type': type, size }: any) => [name, type, size]);

describe('nodemailer-mailgun-transport', () => {
  const transport = () => {
    const { hostname: host, port } = new URL(bed.app.url);
    const auth = { api_key: bed.app.key, domain: sandbox };
    return createTransport(requireTestPackage('nodemailer-mailgun-transport')({ auth, host, port, protocol: 'http:' }));
  };

  it('sends addresses of every form, files, options, variables and header fields', async () => {
    const sent: any = await transport().sendMail({
      from: { name: 'Ann', address: `ann@${sandbox}` },
      to: [
        { name: 'Bob', address: `delivered@${sandbox}` },
        { name: '', address: `bounced@${sandbox}` },
      ],
      cc: `delivered+cc@${sandbox}`,
      bcc: `delivered+bcc@${sandbox}`,
      replyTo: `answers@${sandbox}`,
      subject: 'Garden notes',
      text: 'Roses',
      html: '<p>Roses <img src="cid:rose.png"></p>',
      attachments: [
        { filename: 'list.csv', content: 'YSxi', encoding: 'base64', contentType: 'text/csv' },
        { cid: 'rose.png', content: Buffer.from('picture') },
      ],
      'o:tag': ['spring', 'roses'],
      'o:tracking': false,
      'v:order': '17',
      'h:X-Order': '17',
      'recipient-variables': JSON.stringify({ [`delivered@${sandbox}`]: { name: 'Bob' } }),
    } as any);
    const query = { 'message-id': idOf(sent.messageId) };
    const events = await bed.eventsOf({ ...query, event: 'delivered OR failed' }, 4);
    assert.deepEqual(events.map(({ event, recipient }: any) => `${event} ${recipient}`).sort(), [
      `delivered delivered+bcc@${sandbox}`,
      `delivered delivered+cc@${sandbox}`,
      `delivered delivered@${sandbox}`,
      `failed bounced@${sandbox}`,
    ]);
    assert.deepEqual([events[0].tags, events[0]['user-variables']], [['spring', 'roses'], { order: '17' }]);
    const stored = await bed.storedOf(query);
    assert.deepEqual(
      [stored.From, stored.To, stored.subject, stored['body-plain'].trim()],
      [`Ann <ann@${sandbox}>`, `Bob <delivered@${sandbox}>, bounced@${sandbox}`, 'Garden notes', 'Roses'],
    );
    assert.deepEqual([headerOf(stored, 'Reply-To'), headerOf(stored, 'X-Order')], [`answers@${sandbox}`, '17']);
    assert.deepEqual(filesOf(stored), [
      ['list.csv', 'text/csv', 3],
      ['rose.png', 'image/png', 7],
    ]);
    assert.deepEqual(Object.keys(stored['content-id-map']), ['<rose.png>']);
  });

  it('hands the words of a refusal on', async () => {
    const letter = { from: `ann@${sandbox}`, to: `delivered@${sandbox}`, subject: 'x' };
    await assert.rejects(transport().sendMail({ ...letter, template: 'welcome' } as any), (error: any) => {
      assert.deepEqual(
        [error.status, /: There is no template named/.test(error.details ?? error.message)],
        [400, true],
      );
      return true;
    });
  });
});

describe('@strapi/provider-email-mailgun', () => {
  const provider = (settings: object = {}) =>
    requireTestPackage('@strapi/provider-email-mailgun').init(
      { key: bed.app.key, domain: sandbox, url: bed.app.url },
      { defaultFrom: `ann@${sandbox}`, defaultReplyTo: `answers@${sandbox}`, ...settings },
    );

  it('sends with its defaults, files and options', async () => {
    const sent = await provider().send({
      to: `delivered@${sandbox}`,
      cc: `delivered+cc@${sandbox}`,
      subject: 'Reset your password',
      text: 'A link',
      html: '<p>A link</p>',
      attachment: [{ data: Buffer.from('a,b'), filename: 'list.csv' }],
      'o:tag': ['password'],
      'v:user': '17',
    });
    assert.deepEqual([sent.status, sent.message], [200, 'Queued. Thank you.']);
    const query = { 'message-id': idOf(sent.id) };
    const [event] = await bed.eventsOf({ ...query, event: 'delivered' }, 2);
    assert.deepEqual([event.tags, event['user-variables']], [['password'], { user: '17' }]);
    const stored = await bed.storedOf(query);
    assert.deepEqual(
      [stored.From, stored.subject, headerOf(stored, 'Reply-To'), headerOf(stored, 'Cc')],
      [`ann@${sandbox}`, 'Reset your password', `answers@${sandbox}`, `delivered+cc@${sandbox}`],
    );
    assert.deepEqual(filesOf(stored), [['list.csv', 'text/csv', 3]]);
  });

  it('answers go to several addresses in one field', async () => {
    const { send } = provider({ defaultReplyTo: [`one@${sandbox}`, `two@${sandbox}`] });
    const sent = await send({ to: `delivered@${sandbox}`, subject: 'Two', text: 'Two' });
    const stored = await bed.storedOf({ 'message-id': idOf(sent.id) });
    assert.equal(headerOf(stored, 'Reply-To'), `one@${sandbox}, two@${sandbox}`);
  });

  it('hands a refusal on', async () => {
    await assert.rejects(provider().send({ to: 'nobody', subject: 'x', text: 'x' }), { status: 400 });
  });
});

describe('nestjs-mailgun', () => {
  it('sends from the service that its module provides', async () => {
    requireTestPackage('reflect-metadata');
    const { NestFactory } = requireTestPackage('@nestjs/core');
    const { MailgunModule, MailgunService } = requireTestPackage('nestjs-mailgun');
    const nest = await NestFactory.createApplicationContext(
      MailgunModule.forRoot({ username: 'api', key: bed.app.key, url: bed.app.url }),
      { logger: false, abortOnError: false },
    );
    const service = nest.get(MailgunService);
    const sent = await service.createEmail(sandbox, {
      from: `Ann <ann@${sandbox}>`,
      to: [`delivered@${sandbox}`, `deferred@${sandbox}`],
      subject: 'Nest',
      html: '<p>%recipient.name%</p>',
      attachment: { data: Buffer.from('a,b'), filename: 'list.csv' },
      'o:tag': ['nest'],
      'v:order': '17',
      'recipient-variables': JSON.stringify({ [`delivered@${sandbox}`]: { name: 'Bob' } }),
    });
    assert.deepEqual([sent.status, sent.message], [200, 'Queued. Thank you.']);
    const events = await bed.eventsOf({ 'message-id': idOf(sent.id), event: 'delivered OR failed' }, 2);
    assert.ok(
      events.some(({ recipient, severity }: any) => recipient === `deferred@${sandbox}` && severity === 'temporary'),
    );
    for (const { tags, 'user-variables': variables } of events)
      assert.deepEqual([tags, variables], [['nest'], { order: '17' }]);
    assert.deepEqual(filesOf(await bed.storedOf({ 'message-id': idOf(sent.id) })), [['list.csv', 'text/csv', 3]]);
    await assert.rejects(
      service.createEmail('elsewhere.example', { from: 'a@b.example', to: 'c@d.example', text: 'x' }),
      {
        status: 404,
      },
    );
    await nest.close();
  });
});

describe('@novu/mailgun', () => {
  it('sends with copies, an address to answer to and files', async () => {
    const { MailgunEmailProvider } = requireTestPackage('@novu/mailgun');
    const provider = new MailgunEmailProvider({
      apiKey: bed.app.key,
      baseUrl: bed.app.url,
      username: 'api',
      domain: sandbox,
      from: `ann@${sandbox}`,
    });
    const sent = await provider.sendMessage({
      to: [`delivered@${sandbox}`],
      cc: [`delivered+cc@${sandbox}`],
      bcc: [`delivered+bcc@${sandbox}`],
      replyTo: `answers@${sandbox}`,
      subject: 'Novu',
      html: '<p>Roses</p>',
      attachments: [{ name: 'list.csv', mime: 'text/csv', file: Buffer.from('a,b') }],
    });
    const query = { 'message-id': idOf(sent.id) };
    assert.equal((await bed.eventsOf({ ...query, event: 'delivered' }, 3)).length, 3);
    const stored = await bed.storedOf(query);
    assert.deepEqual(
      [stored.From, stored.subject, headerOf(stored, 'Cc'), headerOf(stored, 'Reply-To')],
      [`ann@${sandbox}`, 'Novu', `delivered+cc@${sandbox}`, `answers@${sandbox}`],
    );
    assert.deepEqual(filesOf(stored), [['list.csv', 'text/csv', 3]]);
    await assert.rejects(provider.sendMessage({ to: ['nobody'], subject: 'x', html: 'x' }), { status: 400 });
  });
});

describe('@adonisjs/mail', () => {
  it('sends whole messages with tags, switches, header fields and variables of its settings', async () => {
    const file = testPackageFile('@adonisjs/mail/build/src/transports/mailgun.js');
    const { MailgunTransport } = await import(pathToFileURL(file).href);
    const { Message } = await import(pathToFileURL(testPackageFile('@adonisjs/mail/build/index.js')).href);
    const settings = {
      baseUrl: `${bed.app.url}/v3`,
      key: bed.app.key,
      domain: sandbox,
      oTags: ['adonis', 'welcome'],
      oDkim: true,
      oTestMode: false,
      oTracking: true,
      oTrackingClick: false,
      oTrackingOpens: true,
      headers: { 'X-Order': '17' },
      variables: { order: '17' },
    };
    const message = new Message()
      .from(`ann@${sandbox}`, 'Ann')
      .to(`delivered@${sandbox}`, 'Bob')
      .cc(`delivered+cc@${sandbox}`)
      .subject('Welcome')
      .text('Welcome, Bob')
      .html('<p>Welcome, Bob</p>')
      .attachData(Buffer.from('a,b'), { filename: 'list.csv', contentType: 'text/csv' });
    const sent = await new MailgunTransport(settings).send(message.toJSON().message);
    const query = { 'message-id': idOf(sent.messageId) };
    const events = await bed.eventsOf({ ...query, event: 'delivered' }, 2);
    for (const { tags, flags, 'user-variables': variables } of events)
      assert.deepEqual([tags, flags['is-test-mode'], variables], [['adonis', 'welcome'], false, { order: '17' }]);
    const stored = await bed.storedOf(query);
    assert.deepEqual(
      [stored.From, stored.subject, stored['body-plain'].trim(), headerOf(stored, 'X-Order')],
      [`Ann <ann@${sandbox}>`, 'Welcome', 'Welcome, Bob', '17'],
    );
    assert.deepEqual(filesOf(stored), [['list.csv', 'text/csv', 3]]);
    await assert.rejects(
      new MailgunTransport({ ...settings, key: 'wrong' }).send(message.toJSON().message),
      /Unable to send email using the mailgun transport/,
    );
  });
});
