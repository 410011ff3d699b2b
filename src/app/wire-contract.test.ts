// What existing clients stumbled over: the same rules at every endpoint.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../test/harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,mail', GALLEY_SMTP_DOMAIN: 'galley.test' });
});
after(() => app.close());

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  example?: string;
  schema: { type?: string };
}
const document = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [] }]) => ({
    path: path.replaceAll(/\{\w+\}/g, 'x'),
    method: method.toUpperCase(),
    parameters,
  })),
);

/** What an operation must have in its query, so that a wrong value beside it is what is refused. */
const required = (parameters: Parameter[]): string =>
  parameters
    .filter((one) => one.in === 'query' && one.required && one.schema.type !== 'integer')
    .map(({ name, example = 'x' }) => `${name}=${encodeURIComponent(example)}&`)
    .join('');

/** Where an existing client, unmodified, sends the field empty: it counts as left out. */
const MAY_BE_EMPTY = new Set(['GET /v1/dkim/keys?limit']);

describe('an integer of a query', () => {
  const paged = operations.flatMap(({ path, method, parameters }) =>
    parameters
      .filter((one) => one.in === 'query' && one.schema.type === 'integer')
      .map(({ name }) => ({ path, method, name, others: required(parameters) })),
  );
  it('stands at many endpoints', () =>
    assert.ok(paged.filter(({ name }) => name === 'limit').length >= 10, JSON.stringify(paged)));
  for (const { path, method, name, others } of paged) {
    it(`is a whole number at ${method} ${path}?${name}`, async () => {
      const empty = MAY_BE_EMPTY.has(`${method} ${path}?${name}`) ? [] : [''];
      for (const value of ['1.5', '-1', 'abc', '1e2', ...empty, '0x10', ' 1', '99999999999999999999']) {
        const { status, body } = await app.call(`${method} ${path}?${others}${name}=${encodeURIComponent(value)}`);
        assert.equal(status, 400, `${value}: ${JSON.stringify(body).slice(0, 200)}`);
        assert.ok(JSON.stringify(body).includes(name), JSON.stringify(body));
      }
    });
  }
});

describe('a query parameter that a DELETE does not know', () => {
  const deletions = operations.filter(({ method, path }) => method === 'DELETE' && !path.includes('session'));
  for (const { path } of deletions) {
    it(`is a 400 at ${path}`, async () => {
      const { status, body } = await app.call(`DELETE ${path}?only=some`);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(JSON.stringify(body), /only is not known here, and nothing was deleted/);
    });
  }
});

describe('errors of preview endpoints', () => {
  it('all carry error, beside the fields of the contract', async () => {
    const { secret } = (await app.call('POST /v1/keys', { body: { role: 'support' } })).body.key;
    const message = 'The role support may only read here. The role admin or developer may do this.';
    const forbidden = { error: { name: 'PermissionError', message }, message };
    const html = { subject: 's', html: '<p>x' };
    assert.deepEqual(await answer('POST /v2/preview/tests', { key: secret, body: html }), [403, forbidden]);
    assert.deepEqual(await answer('POST /v1/preview/sharing', { key: secret, body: { test_id: 'x' } }), [
      403,
      { Reason: message, ...forbidden },
    ]);
    const wrong = 'Invalid private key';
    assert.deepEqual(await answer('GET /v2/preview/tests', { key: 'none' }), [
      401,
      { Reason: wrong, error: { name: 'AccessDenied', message: wrong }, message: wrong },
    ]);
    const reason = 'results must be integer.';
    assert.deepEqual(await answer('GET /v2/preview/tests?results=x'), [
      400,
      { Reason: reason, error: { name: 'InvalidParameter', message: reason }, message: reason },
    ]);
  });

  it('429 too', async () => {
    const hurried = await startApp({ GALLEY_ROLES: 'api', GALLEY_KEY_REQUESTS_PER_MINUTE: '2' });
    try {
      let last: any;
      for (let asked = 0; asked < 10 && last?.status !== 429; asked += 1)
        last = await hurried.call('GET /v2/preview/tests');
      assert.equal(last.status, 429);
      assert.deepEqual(last.body.error, { name: 'RateLimited', message: last.body.message });
    } finally {
      await hurried.close();
    }
  });
});

async function answer(operation: string, call = {}): Promise<[number, any]> {
  const { status, body } = await app.call(operation, call);
  return [status, body];
}

describe('two headers that name accounts', () => {
  it('are a 400 when they name different ones', async () => {
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
    const list = (headers: Record<string, string>): Promise<any> => app.call('GET /v1/inspect/links', { headers });
    assert.equal((await list({ 'x-service-account-id': id, 'x-mailgun-on-behalf-of': id })).status, 200);
    const different: Record<string, string>[] = [
      { 'x-service-account-id': 'own', 'x-mailgun-on-behalf-of': id },
      { 'x-mailgun-account-id': id, 'x-mailgun-on-behalf-of': 'another' },
      { 'x-service-account-id': `${id}, another` },
    ];
    for (const headers of different) {
      const { status, body } = await list(headers);
      assert.equal(status, 400, JSON.stringify(headers));
      assert.match(body.message, /^The headers x-\S+ and x-\S+ name different values; send one of them\.$/);
    }
  });
});

describe('a region that this deployment is not', () => {
  it('is a 400 that names the valid one', async () => {
    const body = { subject: 's', html: '<p>x', region: 'eu1' };
    assert.deepEqual(await answer('POST /v1/inspect/spam', { body }), [
      400,
      { message: 'region is "eu1"; this deployment is us1.' },
    ]);
    assert.equal((await app.call('POST /v1/inspect/spam', { body: { ...body, region: 'us1' } })).status, 201);
  });
});

describe('a public share', () => {
  it('carries the fields of its record', async () => {
    const { id } = (
      await app.call('POST /v2/preview/tests', { body: { subject: 's', html: '<p>x', clients: ['gmail_chrome'] } })
    ).body;
    const { message: _message, ...record } = (await app.call('POST /v1/preview/sharing', { body: { test_id: id } }))
      .body;
    const { body } = await app.call(`GET /v1/preview/sharing/public/${record.uuid}`, { key: null });
    const { subject, date: _date, results, ...share } = body;
    assert.deepEqual(share, record);
    assert.deepEqual(
      [share.test_id, share.enabled, typeof share.expiration, subject, results.length],
      [id, true, 'number', 's', 1],
    );
  });
});

describe('rows of lists', () => {
  const html = '<a href="page.html">x</a><img src="page.png" alt="A page">';
  const rowOf = async (path: string): Promise<any> => {
    const { id } = (await app.call(`POST ${path}/html-validate`, { body: { html } })).body.items;
    while ((await app.call(`GET ${path}/${id}`)).body.meta.status === 'Processing')
      await new Promise((resolve) => setTimeout(resolve, 50));
    return (await app.call(`GET ${path}`)).body.items[0];
  };
  it('leave out what they do not show, and fill what they do', async () => {
    const [link] = (await rowOf('/v1/inspect/links')).results;
    assert.deepEqual(['passes' in link, 'informational' in link], [false, false]);
    assert.ok(link.failures.length > 0);
    const [image] = (await rowOf('/v1/inspect/images')).images;
    assert.deepEqual(['passes' in image, 'informational' in image], [false, false]);
    assert.ok(
      image.failures.length > 0 && image.failures.every(({ details }: any) => details[0].severity),
      JSON.stringify(image.failures),
    );
  });
});

describe('a placement result', () => {
  const made = async (): Promise<string> => {
    const domain = (await app.call('GET /v4/domains')).body.items[0].name;
    const { body, status } = await app.call('POST /v4/inbox/tests', {
      body: { from: `news@${domain}`, subject: 'Garden notes', html: '<p>Hello' },
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body.result_id;
  };
  const get = async (id: string): Promise<any> => (await app.call(`GET /v4/inbox/results/${id}`)).body.result;

  it('has no end of its link while it is not shared', async () => {
    const id = await made();
    const sharing = (await app.call(`GET /v4/inbox/sharing/${id}`)).body;
    assert.deepEqual(
      ['expires_at' in sharing, 'expires_at' in sharing.sharing, 'sharing_expires_at' in (await get(id))],
      [false, false, false],
    );
    const shared = (await app.call(`PUT /v4/inbox/sharing/${id}?enabled=true`)).body;
    assert.ok(Date.parse(shared.expires_at) > Date.now() && shared.sharing.expires_at === shared.expires_at);
  });

  it('is deleted in its part at one provider, and no further', async () => {
    const id = await made();
    const remove = (provider: string): Promise<any> => app.call(`DELETE /v4/inbox/results/${id}?provider=${provider}`);
    if ((await get(id)).status === 'processing')
      assert.equal((await remove('webmail.local-receiver.example')).status, 409);
    while ((await get(id)).status === 'processing') await new Promise((resolve) => setTimeout(resolve, 100));
    const before = Object.keys((await get(id)).delivery_stats);
    const [gone = ''] = before.filter((name) => name !== 'all');
    assert.deepEqual([(await remove('nobody.example')).status, (await remove(gone)).status], [400, 200]);
    assert.deepEqual(Object.keys((await get(id)).delivery_stats).sort(), before.filter((name) => name !== gone).sort());
    assert.equal((await app.call(`DELETE /v4/inbox/results/${id}`)).status, 200);
  });
});

describe('the older addresses of domains', () => {
  it('answer as the newer ones do', async () => {
    const made = await app.call('POST /v3/domains', { body: { name: 'letters.example.com', web_prefix: 'links' } });
    assert.deepEqual([made.status, made.body.domain.name], [200, 'letters.example.com']);
    const [older, newer] = [
      await app.call('GET /v3/domains/letters.example.com'),
      await app.call('GET /v4/domains/letters.example.com'),
    ];
    assert.deepEqual([older.status, older.body], [200, newer.body]);
  });
});

describe('a name given later', () => {
  it('is the test’s at its own address, and at the one of inspections', async () => {
    const body = { subject: 'May', html: '<p>Hello</p>', clients: ['gmail_chrome'] };
    const { id } = (await app.call('POST /v2/preview/tests', { body })).body;
    const renamed = await app.call(`PATCH /v2/preview/tests/${id}`, { body: { name: 'The May letter' } });
    assert.deepEqual([renamed.status, renamed.body], [200, { id, name: 'The May letter' }]);
    const links = (await app.call('POST /v1/inspect/links', { body: { links: ['https://example.com/'] } })).body.items;
    const inspection = await app.call(`PATCH /v1/inspections/${links.id}`, { body: { name: 'Links of May' } });
    assert.deepEqual([inspection.status, inspection.body], [200, { id: links.id, name: 'Links of May' }]);
    assert.equal((await app.call(`GET /v1/inspections/${links.id}`)).body.name, 'Links of May');
  });
});
