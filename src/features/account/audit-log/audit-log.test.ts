import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { expire } from './jobs.ts';
import { startApp, type App, type Call } from '../../../../test/harness/start-app.ts';

const DAY_MS = 86_400_000;
let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_AUDIT_DAYS: '30' });
});
after(() => app.close());

/** What the log answers. */
async function ask(query = '', call: Call = {}): Promise<{ items: any[]; total: number; paging: any }> {
  const { status, body } = await app.call(`GET /v1/audit${query}`, call);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function newKey(role: string, headers: Record<string, string> = {}): Promise<{ id: string; secret: string }> {
  return (await app.call('POST /v1/keys', { body: { role, description: `A ${role}` }, headers })).body.key;
}

async function newSubaccount(name: string): Promise<string> {
  return (await app.call(`POST /v5/accounts/subaccounts?name=${name}`)).body.subaccount.id;
}

describe('a change', () => {
  it('is an entry: who, what, from where, with the names of its fields and none of their values', async () => {
    const { headers } = await app.call('POST /v1/keys', {
      body: { role: 'support', description: 'words of a secret kind' },
      headers: {
        'user-agent': 'curl/8.1',
        'x-mailgun-requestor': 'Doe,\tAnn',
        'x-service-requestor-client': Buffer.from('Büro\u202e 2').toString('latin1'),
      },
    });
    const { items } = await ask('?limit=1');
    const { id, account_id: account, at, actor, resource, address, ...rest } = items[0];
    assert.deepEqual(rest, {
      kind: 'change',
      operation: 'createKey',
      method: 'POST',
      path: '/v1/keys',
      fields: ['role', 'description'],
      status: 200,
      result: 'success',
      user_agent: 'curl/8.1',
      requestor: 'Doe, Ann',
      requestor_client: 'Büro 2',
      request_id: headers.get('x-request-id'),
    });
    assert.deepEqual(Object.keys(resource), ['role', 'key_id']);
    assert.equal(resource.role, 'support');
    assert.match(address, /^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/);
    assert.match(actor.id, /^[0-9a-f]{8}-[0-9a-f]{8}$/);
    assert.deepEqual(
      { ...actor, id: '', name: '' },
      { type: 'key', id: '', name: '', account_id: account, role: 'admin', session_id: null },
    );
    assert.ok(Math.abs(Date.parse(at) - app.clock.now().getTime()) < 60_000);
    assert.match(id, /^\w{10,}$/);
    assert.ok(!JSON.stringify(items).includes('secret kind'));
  });

  it('names what it was about: parts of the path, the query, a form', async () => {
    const about = async (operation: string, call: Call = {}) => {
      assert.ok((await app.call(operation, call)).status < 300, operation);
      const [{ resource, fields, operation: name }] = (await ask('?limit=1')).items;
      return [name, resource, fields];
    };
    const form = new FormData();
    form.append('name', 'mail.shop.example');
    form.append('smtp_password', 'hunter2hunter2');
    const [name, { domain_id: _, id: __, ...resource }, fields] = await about('POST /v4/domains', { body: form });
    assert.deepEqual([name, resource.name, fields], ['createDomain', 'mail.shop.example', ['name', 'smtp_password']]);
    assert.deepEqual(
      await about('POST /v3/mail.shop.example/bounces', { body: [{ address: 'ann@x.example', code: '550' }] }),
      ['addBounces', { domain_name: 'mail.shop.example' }, ['address', 'code']],
    );
    assert.deepEqual(await about('DELETE /v3/mail.shop.example/bounces/ann@x.example'), [
      'deleteBounce',
      { domain_name: 'mail.shop.example', address: 'ann@x.example' },
      [],
    ]);
  });

  it('of a session names it', async () => {
    const { headers } = await app.call('POST /v1/session', { key: null, body: { key: app.key } });
    const cookie = (headers.get('set-cookie') ?? '').split(';', 1)[0] as string;
    const { status } = await app.call('POST /v1/preview/address', { key: null, headers: { cookie, origin: app.url } });
    assert.equal(status, 200);
    const [{ actor, operation }] = (await ask('?limit=1')).items;
    const [{ id }] = (await app.call('GET /v1/sessions')).body.items;
    assert.deepEqual([operation, actor.session_id], ['getPreviewAddress', id]);
  });

  it('that was refused, and a read, is none', async () => {
    const { total } = await ask();
    assert.equal((await app.call('POST /v1/keys', { body: { role: 'king' } })).status, 400);
    assert.equal((await app.call('DELETE /v1/keys/00000000-00000000')).status, 404);
    assert.equal((await app.call('GET /v1/keys')).status, 200);
    assert.equal((await app.call('POST /v1/analytics/logs', { body: {} })).status, 200);
    assert.equal((await ask()).total, total);
  });

  it('of many at once is an entry each, there when it is answered', async () => {
    const { total } = await ask('?operation=createSubaccount');
    await Promise.all(Array.from({ length: 40 }, (_, place) => newSubaccount(`Many${place}`)));
    const { items, total: now } = await ask('?operation=createSubaccount&text=Many&limit=100');
    assert.deepEqual([now, new Set(items.map(({ resource }) => resource.name)).size], [total + 40, 40]);
  });
});

describe('the audit log', () => {
  it('is searched by who, operation, path, time and text', async () => {
    const key = await newKey('admin');
    await app.call('POST /v5/accounts/subaccounts?name=100%25_sure', { key: key.secret });
    const named = async (query: string) => (await ask(query)).items.map(({ operation }: any) => operation);
    assert.deepEqual(await named(`?who=${key.id.toUpperCase()}`), ['createSubaccount']);
    assert.deepEqual(await named('?who=A%20ADMIN'), ['createSubaccount']);
    assert.deepEqual(await named('?operation=createsub&text=100%25_SURE'), ['createSubaccount']);
    assert.deepEqual(await named('?text=100%25x'), []);
    assert.deepEqual(await named('?path=post%20/v5/accounts/subacc&text=100%25_sure'), ['createSubaccount']);
    assert.deepEqual(await named('?kind=sign_in&text=100%25_sure'), []);
    const [{ at }] = (await ask(`?who=${key.id}`)).items;
    assert.deepEqual(await named(`?who=${key.id}&start=${at}&end=${at}`), ['createSubaccount']);
    const later = new Date(Date.parse(at) + 1000).toISOString();
    assert.deepEqual(await named(`?who=${key.id}&start=${later}`), []);
    assert.deepEqual((await app.call('GET /v1/audit?start=soon')).body, {
      message: 'start "soon" is not a time; give it as RFC 2822 or ISO 8601.',
    });
    assert.equal((await app.call('GET /v1/audit?kind=read')).status, 400);
  });

  it('is paged, newest first, while it grows', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await newSubaccount(`Paged-${name}`);
    const names = ({ items }: any) => items.map(({ resource }: any) => resource.name.at(-1)).join('');
    const first = await ask('?text=Paged-&limit=2');
    assert.deepEqual([names(first), first.total], ['ed', 5]);
    await newSubaccount('Paged-f');
    const second = (await app.call(`GET ${first.paging.next}`)).body;
    const third = (await app.call(`GET ${second.paging.next}`)).body;
    assert.deepEqual([names(second), names(third)], ['cb', 'a']);
    assert.equal(names((await app.call(`GET ${second.paging.previous}`)).body), 'ed');
  });

  it('belongs to the account that was acted for; its parent asks for it', async () => {
    const id = await newSubaccount('Owned');
    const headers = { 'x-service-account-id': id };
    const own = await newKey('admin', headers);
    const [entry] = (await ask('', { key: own.secret })).items;
    assert.deepEqual([entry.operation, entry.account_id], ['createKey', id]);
    assert.notEqual(entry.actor.account_id, id);
    assert.equal((await ask(`?text=${own.id}`)).total, 0);
    assert.equal((await ask(`?text=${own.id}&include_subaccounts=true`)).total, 1);
    assert.equal((await ask(`?text=${own.id}`, { headers })).total, 1);
    const other = await newKey('admin', { 'x-service-account-id': await newSubaccount('Other') });
    assert.equal((await ask(`?text=${own.id}&include_subaccounts=true`, { key: other.secret })).total, 0);
    const { body } = await app.call(`GET /v1/audit/export?text=${own.id}`, { key: other.secret });
    assert.equal(body.trim().split('\n').length, 1, 'the head alone');
  });

  it('is read by admins alone, and changed by nobody', async () => {
    for (const role of ['developer', 'support', 'basic', 'sending']) {
      const { secret } = await newKey(role);
      for (const path of ['/v1/audit', '/v1/audit/export'])
        assert.equal((await app.call(`GET ${path}`, { key: secret })).status, 403, `${role} ${path}`);
    }
    const [{ id }] = (await ask('?limit=1')).items;
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal((await app.call(`${method} /v1/audit`)).status, 405);
      assert.equal((await app.call(`${method} /v1/audit/${id}`)).status, 404);
    }
  });

  it('is exported for spreadsheets: with a separator of choice, and without formulas', async () => {
    await app.call('POST /v5/accounts/subaccounts?name=Exported;one', {
      headers: { 'user-agent': '=HYPERLINK("http://evil.example")', 'x-service-requestor': '+41 44; "Büro"' },
    });
    const read = async (query: string) => {
      const response = await fetch(`${app.url}/v1/audit/export?text=Exported${query}`, {
        headers: { authorization: `Basic ${btoa(`api:${app.key}`)}` },
      });
      assert.match(
        response.headers.get('content-disposition') ?? '',
        /^attachment; filename="audit-[\d-]+\.(csv|jsonl)"$/,
      );
      return [
        response.headers.get('content-type'),
        Buffer.from(await response.arrayBuffer()).toString('utf8'),
      ] as const;
    };
    const [type, csv] = await read('&separator=semicolon');
    assert.equal(type, 'text/csv; charset=utf-8');
    const [head, line, ...more] = csv.split('\r\n');
    assert.equal(
      head,
      '\ufeffat;account_id;actor_type;actor_id;actor_name;role;kind;operation;method;path;resource;fields;result;' +
        'status;address;user_agent;requestor;requestor_client;session_id;request_id;id',
    );
    assert.deepEqual(more, ['']);
    assert.match(line as string, /;createSubaccount;POST;\/v5\/accounts\/subaccounts;"name=Exported;one /);
    assert.ok(line?.includes(`;"'=HYPERLINK(""http://evil.example"")";"'+41 44; ""Büro""";`), line);
    const [, commas] = await read('');
    assert.equal(commas.split('\r\n')[0]?.split(',').length, 21);
    const [jsonType, lines] = await read('&format=jsonl');
    assert.equal(jsonType, 'application/x-ndjson; charset=utf-8');
    const [listed] = (await ask('?text=Exported')).items;
    assert.deepEqual(JSON.parse(lines), listed);
    assert.equal((await app.call('GET /v1/audit/export?separator=pipe')).status, 400);
  });

  it('keeps entries for the days of the setting', async () => {
    await newSubaccount('Old');
    app.clock.advance(29 * DAY_MS);
    await newSubaccount('Young');
    const turn = { signal: new AbortController().signal, attempt: 1, isLast: true };
    const left = async (name: string): Promise<number> => {
      await expire.run(app.galley.outside, {}, turn);
      return (await ask(`?operation=createSubaccount&text=${name}`)).total;
    };
    assert.equal(await left('Old'), 1);
    app.clock.advance(2 * DAY_MS);
    assert.deepEqual([await left('Old'), await left('Young')], [0, 1]);
  });
});
