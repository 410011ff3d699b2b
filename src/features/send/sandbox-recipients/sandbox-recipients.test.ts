// Who may be written to by a sandbox domain: asked by mail, activated by a button, and in the mode `live` nobody else.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createZoneDns, type Dns } from '../../../platform/dns/index.ts';
import { startMailServer, type MailServer } from '../../../../test/harness/mail-server.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const PATH = '/v5/sandbox/auth_recipients';
const PUBLIC = 'https://mail.example.com';

type Headers = Record<string, string>;
const addTo = (app: App, email: string, headers: Headers = {}) =>
  app.call(`POST ${PATH}?email=${encodeURIComponent(email)}`, { headers });
const listOf = async (app: App, headers: Headers = {}): Promise<{ email: string; activated: boolean }[]> =>
  (await app.call(`GET ${PATH}`, { headers })).body.recipients;
const remove = (app: App, email: string, headers: Headers = {}) => app.call(`DELETE ${PATH}/${email}`, { headers });
const sandboxOf = async (app: App, headers: Headers = {}): Promise<string> =>
  (await app.call('GET /v4/domains', { headers })).body.items[0].name;

/** The address in a mail, as a path. */
function linkIn(text: string): string {
  const [, path] = /https?:\/\/[^/\s]+(\/u\/sandbox\/[\w-]{24})/.exec(text) ?? [];
  assert.ok(path, text);
  return path;
}

async function empty(app: App, headers: Headers = {}): Promise<void> {
  for (const { email } of await listOf(app, headers)) await remove(app, email, headers);
}

async function otherAccount(app: App): Promise<Headers> {
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  return { 'x-service-account-id': body.subaccount.id };
}

describe('recipients of a sandbox domain that captures', () => {
  let app: App;
  let other: Headers;
  let sandbox: string;
  before(async () => {
    app = await startApp({ GALLEY_ROLES: 'api' });
    other = await otherAccount(app);
    sandbox = await sandboxOf(app);
  });
  after(() => app.close());

  /** The text of the last mail to an address, as the account reads it back. */
  async function mailTo(email: string, headers: Headers = {}): Promise<string> {
    app.clock.advance(3000);
    const domain = await sandboxOf(app, headers);
    const { items } = (await app.call(`GET /v3/${domain}/events?event=accepted&recipient=${email}`, { headers })).body;
    const url = new URL(items[0].storage.url);
    return (await app.call(`GET ${url.pathname}`, { headers })).body['body-plain'];
  }

  it('are asked by a message of the domain, and activated by the button of its page', async () => {
    const { status, body } = await addTo(app, 'Ann@Example.COM');
    assert.deepEqual([status, body], [200, { recipient: { email: 'ann@example.com', activated: false } }]);
    const text = await mailTo('ann@example.com');
    assert.match(text, /^Somebody asked to send test messages from sandbox\w+\.\S+ to ann@example\.com\.\n/);
    const path = linkIn(text);
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await fetch(`${app.url}${path}`, { method });
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
      if (method === 'GET') assert.match(await answer.text(), /ann@example\.com[^]*<form method="post"><button/);
    }
    assert.deepEqual(await listOf(app), [{ email: 'ann@example.com', activated: false }]);
    for (let time = 0; time < 2; time += 1) {
      const pressed = await fetch(`${app.url}${path}`, { method: 'POST' });
      assert.equal(pressed.status, 200);
      assert.doesNotMatch(await pressed.text(), /<(form|button|script)/);
    }
    assert.deepEqual(await listOf(app), [{ email: 'ann@example.com', activated: true }]);
    const again = await addTo(app, 'ann@example.com');
    assert.deepEqual(again.body, { recipient: { email: 'ann@example.com', activated: true } });
    await empty(app);
  });

  it('belong to one account', async () => {
    await addTo(app, 'bob@example.com');
    assert.deepEqual(await listOf(app, other), []);
    assert.deepEqual((await remove(app, 'bob@example.com', other)).status, 404);
    await addTo(app, 'bob@example.com', other);
    await fetch(`${app.url}${linkIn(await mailTo('bob@example.com', other))}`, { method: 'POST' });
    assert.deepEqual(await listOf(app), [{ email: 'bob@example.com', activated: false }]);
    assert.deepEqual(await listOf(app, other), [{ email: 'bob@example.com', activated: true }]);
    await empty(app, other);
    await empty(app);
  });

  it('are five at most, however many calls come at once', async () => {
    const names = Array.from({ length: 8 }, (_, place) => `many${place}@example.com`);
    const answers = await Promise.all(names.map((name) => addTo(app, name)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 5);
    for (const { body } of answers.filter(({ status }) => status !== 200))
      assert.equal(body.message, 'Only 5 sandbox recipients are allowed');
    assert.equal((await listOf(app)).length, 5);
    await empty(app);
  });

  it('have one link that works: the newest, for seven days, until they are deleted', async () => {
    await addTo(app, 'cyd@example.com');
    const first = linkIn(await mailTo('cyd@example.com'));
    await addTo(app, 'cyd@example.com');
    const second = linkIn(await mailTo('cyd@example.com'));
    assert.notEqual(first, second);
    const statusOf = async (path: string, method = 'POST') => (await fetch(`${app.url}${path}`, { method })).status;
    assert.equal(await statusOf(first), 404);
    assert.equal(await statusOf(`${second.slice(0, -1)}${second.endsWith('a') ? 'b' : 'a'}`), 404);
    app.clock.advance(7 * 86_400_000);
    assert.deepEqual([await statusOf(second, 'GET'), await statusOf(second)], [404, 404]);
    assert.deepEqual(await listOf(app), [{ email: 'cyd@example.com', activated: false }]);
    await addTo(app, 'cyd@example.com');
    const third = linkIn(await mailTo('cyd@example.com'));
    assert.deepEqual((await remove(app, 'CYD@example.com')).body, { message: 'Sandbox recipient deleted.' });
    assert.equal(await statusOf(third), 404);
    assert.equal((await remove(app, 'cyd@example.com')).status, 404);
  });

  it('get 20 mails a day from one account, whatever it deletes and adds again', async () => {
    app.clock.advance(86_400_000);
    for (let time = 0; time < 20; time += 1) {
      assert.equal((await addTo(app, 'dan@example.com', other)).status, 200);
      if (time % 2 === 1) await remove(app, 'dan@example.com', other);
    }
    const refused = await addTo(app, 'eve@example.com', other);
    assert.deepEqual(
      [refused.status, refused.body.message],
      [429, 'Only 20 mails to sandbox recipients are sent in 24 hours.'],
    );
    app.clock.advance(86_400_001);
    assert.equal((await addTo(app, 'eve@example.com', other)).status, 200);
    await empty(app, other);
  });

  for (const wrong of ['', 'nobody', 'a@b@c', 'Ann <ann@example.com>', 'ann@example.com,bob@example.com', 'a@-.-'])
    it(`are not "${wrong}"`, async () => {
      const added = await addTo(app, wrong);
      assert.equal(added.status, 400);
      assert.match(added.body.message, /^Invalid email address\. Give email as one address/);
    });

  it('need the parameter', async () => {
    const { status, body } = await app.call(`POST ${PATH}`);
    assert.equal(status, 400);
    assert.match(body.message, /email/);
    assert.equal((await remove(app, 'nobody')).status, 400);
  });

  it('limit nothing while messages are captured', async () => {
    const body = { from: `a@${sandbox}`, to: 'anybody@example.com', subject: 'Hi', text: 'Hi' };
    assert.equal((await app.call(`POST /v3/${sandbox}/messages`, { body })).status, 200);
  });
});

describe('recipients of a sandbox domain that delivers', () => {
  const zone = { 'example.net': { MX: ['10 mx.example.net'] }, 'mx.example.net': { A: ['127.0.0.1'] } };
  const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
  const deferred = new Set<string>();
  let server: MailServer;
  let app: App;
  let other: Headers;
  let sandbox: string;
  before(async () => {
    server = await startMailServer({
      answer(verb, line) {
        if (verb !== 'RCPT') return undefined;
        if (line.includes('later@') && !deferred.has('later')) {
          deferred.add('later');
          return '451 4.7.1 Greylisted';
        }
        return line.includes('unknown@') ? '550 5.1.1 No such user' : undefined;
      },
    });
    app = await startApp(
      {
        GALLEY_ROLES: 'api,work,send',
        GALLEY_DELIVERY: 'live',
        GALLEY_ALLOW_HOSTS: '127.0.0.0/8',
        GALLEY_PUBLIC_URL: PUBLIC,
      },
      { dns, mail: { mxPort: server.port, replyTimeoutMs: 10_000, greetingTimeoutMs: 10_000 } },
    );
    other = await otherAccount(app);
    sandbox = await sandboxOf(app);
  });
  after(async () => {
    await app.close();
    await server.close();
  });

  const send = (to: string | string[], from = sandbox, headers: Headers = {}) =>
    app.call(`POST /v3/${from}/messages`, { body: { from: `a@${from}`, to, subject: 'Hi', text: 'Hi' }, headers });
  const sentTo = (email: string) => server.messages.filter(({ to }) => to.includes(email));

  async function until<Value>(read: () => Value | Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
    for (;;) {
      const value = await read();
      if (isDone(value)) return value;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('get nothing before they agreed, and every message afterwards', async () => {
    assert.equal((await addTo(app, 'ann@example.net')).status, 200);
    const refused = await send(['ann@example.net', `delivered@${sandbox}`, 'Bob <bob@example.net>']);
    assert.deepEqual(
      [refused.status, refused.body.message],
      [
        403,
        `Domain ${sandbox} is a sandbox, which delivers to authorized recipients only. Not authorized: ` +
          'ann@example.net, bob@example.net. Add them by POST /v5/sandbox/auth_recipients, or send as a domain of ' +
          'your own.',
      ],
    );
    const [mail] = await until(
      () => sentTo('ann@example.net'),
      ({ length }) => length > 0,
    );
    assert.match(mail!.raw, /^Auto-Submitted: auto-generated\r$/m);
    assert.ok(mail!.raw.includes(`${PUBLIC}/u/sandbox/`), mail!.raw);
    await fetch(`${app.url}${linkIn(mail!.raw)}`, { method: 'POST' });
    assert.deepEqual(await listOf(app), [{ email: 'ann@example.net', activated: true }]);
    assert.equal((await send(['ANN@example.net', `delivered@${sandbox}`])).status, 200);
    await until(
      () => sentTo('ANN@example.net'),
      ({ length }) => length === 1,
    );
    assert.equal((await send('ann@example.net', await sandboxOf(app, other), other)).status, 403);
    await remove(app, 'ann@example.net');
    assert.equal((await send('ann@example.net')).status, 403);
    assert.equal((await send(`opened@${sandbox}`)).status, 200);
  });

  it('are asked by no message that the account could read back', async () => {
    await addTo(app, 'cyd@example.net');
    await until(
      () => sentTo('cyd@example.net'),
      ({ length }) => length > 0,
    );
    app.clock.advance(3000);
    const { items } = (await app.call(`GET /v3/${sandbox}/events?recipient=cyd@example.net`)).body;
    assert.deepEqual(items, []);
    await empty(app);
  });

  it('have to agree again when they agreed by a captured mail', async () => {
    const setMode = (delivery: string) =>
      app.call(`PUT /v1/galley/domains/${sandbox}/delivery`, { body: { delivery } });
    await setMode('capture');
    await addTo(app, 'dan@example.net');
    app.clock.advance(3000);
    const { items } = (await app.call(`GET /v3/${sandbox}/events?event=accepted&recipient=dan@example.net`)).body;
    const text = (await app.call(`GET ${new URL(items[0].storage.url).pathname}`)).body['body-plain'];
    await fetch(`${app.url}${linkIn(text)}`, { method: 'POST' });
    assert.deepEqual(await listOf(app), [{ email: 'dan@example.net', activated: true }]);
    await setMode('live');
    assert.deepEqual(await listOf(app), [{ email: 'dan@example.net', activated: false }]);
    assert.equal((await send('dan@example.net')).status, 403);
    await addTo(app, 'dan@example.net');
    const [mail] = await until(
      () => sentTo('dan@example.net'),
      ({ length }) => length > 0,
    );
    await fetch(`${app.url}${linkIn(mail!.raw)}`, { method: 'POST' });
    assert.equal((await send('dan@example.net')).status, 200);
    await empty(app);
  });

  it('are asked again later by a server that says so, and never again by one that refuses', async () => {
    await addTo(app, 'unknown@example.net');
    const [{ problem }] = (await until(
      () => listOf(app),
      ([one]) => one !== undefined && 'problem' in one,
    )) as unknown as [{ problem: string }];
    assert.match(problem, /No such user/);
    await empty(app);
    await addTo(app, 'later@example.net');
    await until(
      () => listOf(app),
      ([one]) => one !== undefined && 'problem' in one,
    );
    assert.equal(sentTo('later@example.net').length, 0);
    app.clock.advance(7 * 60_000);
    // Adding another one wakes what sends.
    await addTo(app, 'eve@example.net');
    await until(
      () => sentTo('later@example.net'),
      ({ length }) => length === 1,
    );
    await until(
      () => listOf(app),
      (all) => all.every((one) => !('problem' in one)),
    );
    await empty(app);
  });

  it('are named ten at a time', async () => {
    const { status, body } = await send(Array.from({ length: 14 }, (_, place) => `p${place}@example.net`));
    assert.equal(status, 403);
    assert.match(body.message, /Not authorized: p0@example\.net, .*p9@example\.net and 4 more\. Add them/);
  });
});

describe('a service that delivers and has no address of its own', () => {
  it('says that no link could be written', async () => {
    const app = await startApp({ GALLEY_ROLES: 'api', GALLEY_DELIVERY: 'live' });
    const { status, body } = await addTo(app, 'ann@example.net');
    assert.deepEqual(
      [status, body.message],
      [409, 'GALLEY_PUBLIC_URL is not set, so that the mail could have no link that works.'],
    );
    assert.deepEqual(await listOf(app), []);
    await app.close();
  });
});
