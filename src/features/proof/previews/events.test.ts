// What is told of a test while it is under way, to whom, and until when.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { holdPictures } from '../../../../test/harness/held-pictures.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const CLIENTS = ['gmail_chrome', 'ol2021', 'gmail_android'];

let app: App;
before(async () => {
  app = await startApp();
});
after(() => app.close());

const keyOf = (key: string): Record<string, string> => ({ authorization: `Basic ${btoa(`api:${key}`)}` });

interface Told {
  name: string;
  data: any;
}

interface Stream {
  status: number;
  headers: Headers;
  told: Told[];
  /** Resolves when the service has ended it. */
  ended: Promise<Told[]>;
  leave(): void;
}

async function watch(id: string, headers = keyOf(app.key), url = app.url): Promise<Stream> {
  const left = new AbortController();
  const response = await fetch(`${url}/v2/preview/tests/${id}/events`, { headers, signal: left.signal });
  const told: Told[] = [];
  const read = async (): Promise<Told[]> => {
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() as string;
      for (const block of blocks) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        if (name) told.push({ name, data: JSON.parse(data as string) });
      }
    }
    return told;
  };
  const ended = read();
  ended.catch(() => undefined);
  return { status: response.status, headers: response.headers, told, ended, leave: () => left.abort() };
}

async function create(key = app.key): Promise<string> {
  const body = { subject: 'Told', html: '<p>Hello', clients: CLIENTS };
  return (await app.call('POST /v2/preview/tests', { key, body })).body.id;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('GET /v2/preview/tests/{test_id}/events', () => {
  it('tells every change to all who watch, as the test itself says it, and ends with the test', async () => {
    const letGo = holdPictures(app);
    const id = await create();
    const [one, other] = [await watch(id), await watch(id)];
    assert.equal(one.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.match(one.headers.get('cache-control') ?? '', /no-cache/);
    assert.equal(one.headers.get('connection'), 'close', 'kept, it would hold up the end of the service');
    await until(() => one.told.length > 0 && other.told.length > 0);
    assert.deepEqual(one.told[0], {
      name: 'progress',
      data: { completed: [], processing: [...CLIENTS].sort(), bounced: [], content_checking: {} },
    });
    letGo();
    const told = await one.ended;
    assert.deepEqual(told.at(-1), { name: 'end', data: {} });
    const { completed, processing, bounced, content_checking } = (await app.call(`GET /v2/preview/tests/${id}`)).body;
    assert.deepEqual(told.at(-2)?.data, { completed, processing, bounced, content_checking });
    assert.deepEqual((await other.ended).slice(-2), told.slice(-2));
    const late = await (await watch(id)).ended;
    assert.deepEqual(
      late.map(({ name }) => name),
      ['progress', 'end'],
    );
  });

  it('says so when the test is deleted', async () => {
    const letGo = holdPictures(app);
    const id = await create();
    const stream = await watch(id);
    await until(() => stream.told.length > 0);
    await app.call(`DELETE /v2/preview/tests/${id}`);
    assert.deepEqual((await stream.ended).at(-1), { name: 'deleted', data: {} });
    letGo();
  });

  it('ends when the session is, or the key, while others go on', async () => {
    const letGo = holdPictures(app);
    const id = await create();
    const made = (await app.call('POST /v1/keys', { body: { role: 'support' } })).body.key;
    const { headers } = await app.call('POST /v1/session', { key: null, body: { key: app.key } });
    const cookie = (headers.get('set-cookie') ?? '').split(';', 1)[0] as string;
    const [own, byKey, bySession] = [await watch(id), await watch(id, keyOf(made.secret)), await watch(id, { cookie })];
    await until(() => [own, byKey, bySession].every(({ told }) => told.length > 0));
    await app.call(`DELETE /v1/keys/${made.id}`);
    assert.ok((await byKey.ended).every(({ name }) => name === 'progress'));
    await app.call('DELETE /v1/session', { key: null, headers: { cookie, 'sec-fetch-site': 'same-origin' } });
    assert.ok((await bySession.ended).every(({ name }) => name === 'progress'));
    letGo();
    assert.equal((await own.ended).at(-1)?.name, 'end');
  });

  it('is not for strangers, and not without a key', async () => {
    const id = await create();
    const { id: account } = (await app.call('POST /v5/accounts/subaccounts?name=Stranger')).body.subaccount;
    const stranger = await app.call('POST /v1/keys', {
      body: { role: 'admin' },
      headers: { 'x-service-account-id': account },
    });
    assert.equal((await watch(id, keyOf(stranger.body.key.secret))).status, 404);
    assert.equal((await watch(id, {})).status, 401);
    assert.equal((await watch('0123456789abcdef01234567')).status, 404);
  });

  it('refuses more streams than an account may have open, until one is left', async () => {
    const letGo = holdPictures(app);
    const id = await create();
    const open: Stream[] = [];
    for (let n = 0; n < 20; n += 1) open.push(await watch(id));
    const refused = await app.call(`GET /v2/preview/tests/${id}/events`);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '10']);
    assert.match(refused.body.message, /^20 streams of events of this account are open/);
    open.pop()?.leave();
    for (let status = 429; status !== 200;) {
      const stream = await watch(id);
      ({ status } = stream);
      if (status === 200) open.push(stream);
    }
    letGo();
    for (const stream of open) assert.equal((await stream.ended).at(-1)?.name, 'end');
  });

  it('does not hold up the end of the service', async () => {
    const own = await startApp();
    const letGo = holdPictures(own);
    const body = { subject: 'Told', html: '<p>Hello', clients: CLIENTS };
    const { id } = (await own.call('POST /v2/preview/tests', { body })).body;
    const stream = await watch(id, keyOf(own.key), own.url);
    await until(() => stream.told.length > 0);
    const closed = own.close();
    await stream.ended;
    letGo();
    await closed;
  });
});
