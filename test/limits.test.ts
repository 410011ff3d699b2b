// How much one caller may ask, through the front door.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { KEY, startApp, type App } from './harness/start-app.ts';

const CLIENTS = 'GET /v1/preview/tests/clients';

function seconds(headers: Headers): number {
  const value = headers.get('retry-after') ?? '';
  assert.match(value, /^[1-9]\d*$/);
  return Number(value);
}

describe('requests of one key and of one account', () => {
  let app: App;
  before(async () => {
    app = await startApp({
      GALLEY_ROLES: 'api',
      GALLEY_KEY_REQUESTS_PER_MINUTE: '20',
      GALLEY_ACCOUNT_REQUESTS_PER_MINUTE: '50',
    });
  });
  after(() => app.close());

  const newKey = async (accountId?: string): Promise<string> => {
    const headers: Record<string, string> = accountId ? { 'x-service-account-id': accountId } : {};
    return (await app.call('POST /v1/keys', { body: { role: 'developer' }, headers })).body.key.secret;
  };
  /** Asks until it is told to stop, and answers how often it was let in. */
  const exhaust = async (key: string): Promise<{ count: number; answer: Awaited<ReturnType<App['call']>> }> => {
    for (let count = 0; ; count++) {
      const answer = await app.call(CLIENTS, { key });
      if (answer.status !== 200) return { count, answer };
      assert.ok(count < 1000, 'it is never told to stop');
    }
  };

  it('are bounded: 429 with Retry-After, which is true; another account goes on', async () => {
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
    const [one, other] = [await newKey(), await newKey(id)];
    const { count, answer } = await exhaust(one);
    assert.ok(count >= 20, `${count} were let in`);
    assert.equal(answer.status, 429);
    const wait = seconds(answer.headers);
    const message =
      `This key sent more than 20 requests within a minute. Try again in ${wait} ` +
      `${wait === 1 ? 'second' : 'seconds'}.`;
    assert.deepEqual(answer.body, { message, error: { name: 'RateLimited', message } });
    assert.equal((await app.call(CLIENTS, { key: other })).status, 200);
    app.clock.advance(wait * 1000);
    assert.equal((await app.call(CLIENTS, { key: one })).status, 200);
  });

  it('are bounded for all keys of an account together', async () => {
    app.clock.advance(60_000);
    const keys = [];
    for (let n = 0; n < 4; n++) keys.push(await newKey());
    const outcomes = [];
    for (const key of keys) outcomes.push(await exhaust(key));
    const last = outcomes.at(-1)?.answer;
    assert.match(
      last?.body.message,
      /^The keys of this account sent more than 50 requests within a minute\. Try again in \d+ seconds?\.$/,
    );
    assert.ok((outcomes.at(-1)?.count ?? 99) < 20);
    seconds(last?.headers as Headers);
    app.clock.advance(60_000);
    assert.equal((await app.call(CLIENTS, { key: keys[3] as string })).status, 200);
  });
});

describe('wrong keys', () => {
  let app: App;
  before(async () => {
    app = await startApp({
      GALLEY_ROLES: 'api',
      GALLEY_WRONG_KEYS_PER_MINUTE: '10',
      GALLEY_TRUSTED_PROXIES: '127.0.0.1,::1',
    });
  });
  after(() => app.close());

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const guess = (address: string, n: number) => app.call(CLIENTS, { key: `key-guess-${n}`, headers: from(address) });
  const exhaust = async (address: string) => {
    for (let n = 0; n < 200; n++) if ((await guess(address, n)).status === 429) return;
    assert.fail('it is never told to stop');
  };

  it('are throttled for each address: 429 before the database is asked', async () => {
    await exhaust('192.0.2.1');
    const { status, body, headers } = await guess('192.0.2.1', 9999);
    assert.equal(status, 429);
    assert.match(
      body.message,
      /^More than 10 wrong keys came from this address within a minute\. Try again in \d+ seconds?\.$/,
    );
    const wait = seconds(headers);
    assert.equal((await guess('192.0.2.2', 1)).status, 401);
    assert.equal(
      (await app.call(CLIENTS, { headers: from('192.0.2.1') })).status,
      429,
      'a right key would tell that it is right',
    );
    app.clock.advance(wait * 1000);
    assert.equal((await app.call(CLIENTS, { headers: from('192.0.2.1') })).status, 200);
  });

  it('count for all of an IPv6 network of 64 bits, and an IPv4 address is the same however it is written', async () => {
    await exhaust('2001:db8:1:2::1');
    assert.equal((await guess('2001:db8:1:2:ffff::9', 1)).status, 429);
    assert.equal((await guess('2001:db8:1:3::1', 1)).status, 401);
    await exhaust('192.0.2.7');
    assert.equal((await guess('::ffff:192.0.2.7', 1)).status, 429);
  });

  it('do not stop a key that was right from there before', async () => {
    assert.equal((await app.call(CLIENTS, { headers: from('192.0.2.20') })).status, 200);
    await exhaust('192.0.2.20');
    assert.equal((await app.call(CLIENTS, { headers: from('192.0.2.20') })).status, 200);
    assert.equal((await guess('192.0.2.20', 9999)).status, 429);
  });

  it('count where one signs in, too', async () => {
    const signIn = (key: string) =>
      app.call('POST /v1/session', { key: null, body: { key }, headers: from('192.0.2.30') });
    let status = 0;
    for (let n = 0; n < 200 && status !== 429; n++) ({ status } = await signIn(`key-guess-${n}`));
    assert.equal(status, 429);
    const { body, headers } = await signIn(KEY);
    assert.match(body.message, /^More than 10 wrong keys came from this address/);
    seconds(headers);
  });

  it('are told in the shape of each group', async () => {
    await exhaust('192.0.2.40');
    const reason = await app.call('POST /v1/preview/address', { key: 'key-wrong', headers: from('192.0.2.40') });
    assert.deepEqual([reason.status, Object.keys(reason.body)], [429, ['Reason', 'error', 'message']]);
  });
});

describe('a proxy that is not named', () => {
  it('is not believed: neither the address of the caller, nor the host, nor the scheme', async () => {
    const app = await startApp({ GALLEY_ROLES: 'api', GALLEY_WRONG_KEYS_PER_MINUTE: '10' });
    try {
      let status = 0;
      for (let n = 0; n < 200 && status !== 429; n++)
        ({ status } = await app.call(CLIENTS, {
          key: `key-guess-${n}`,
          headers: { 'x-forwarded-for': `192.0.2.${n % 200}` },
        }));
      assert.equal(status, 429);
    } finally {
      await app.close();
    }
  });
});

describe('a connection that sends its headers slowly', () => {
  it('is cut', async () => {
    const app = await startApp({ GALLEY_ROLES: 'api', GALLEY_HEADERS_SECONDS: '1' });
    const socket = connect(Number(new URL(app.url).port), new URL(app.url).hostname);
    let answered = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answered += text));
    socket.on('error', () => undefined);
    const drip = setInterval(() => socket.write('x'), 100);
    try {
      const closed = new Promise((resolve) => socket.once('close', () => resolve('cut')));
      socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
      const limit = AbortSignal.timeout(20_000);
      assert.equal(
        await Promise.race([
          closed,
          new Promise((resolve) => limit.addEventListener('abort', () => resolve('still open'))),
        ]),
        'cut',
      );
      assert.match(answered, /^HTTP\/1\.1 408 /);
      assert.equal((await app.call('GET /health', { key: null })).status, 200);
    } finally {
      clearInterval(drip);
      socket.destroy();
      await app.close();
    }
  });
});

describe('/metrics', () => {
  it('answers this machine, but no proxy and nobody with a token that is not asked for elsewhere', async () => {
    const app = await startApp({ GALLEY_ROLES: 'api' });
    try {
      assert.equal((await app.call('GET /metrics', { key: null })).status, 200);
      for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host']) {
        const { status, body } = await app.call('GET /metrics', { key: null, headers: { [name]: '127.0.0.1' } });
        assert.deepEqual(
          [status, body],
          [403, { message: 'Without GALLEY_METRICS_TOKEN, /metrics answers this machine only, and no proxy.' }],
          name,
        );
      }
      const elsewhere = await app.galley.app.inject({ url: '/metrics', remoteAddress: '192.0.2.1' });
      assert.equal(elsewhere.statusCode, 403);
    } finally {
      await app.close();
    }
  });

  it('asks for the token of the operator when there is one', async () => {
    const token = 'token-of-the-operator';
    const app = await startApp({ GALLEY_ROLES: 'api', GALLEY_METRICS_TOKEN: token });
    try {
      const ask = (authorization?: string) =>
        app.call('GET /metrics', {
          key: null,
          headers: { ...(authorization && { authorization }), 'x-forwarded-for': '192.0.2.1' },
        });
      const { status, body, headers } = await ask();
      assert.deepEqual(
        [status, body, headers.get('www-authenticate')],
        [401, { message: 'Send GALLEY_METRICS_TOKEN as Authorization: Bearer.' }, 'Bearer realm="galley"'],
      );
      assert.equal((await ask('Bearer wrong')).status, 401);
      assert.equal((await ask(`Basic ${btoa(`api:${KEY}`)}`)).status, 401);
      assert.equal((await ask(`Bearer ${token}`)).status, 200);
    } finally {
      await app.close();
    }
  });
});
