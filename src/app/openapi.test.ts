// The OpenAPI documents: what generators of clients need of them, and what the contract says.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../test/harness/start-app.ts';
import { sql } from '../platform/db/index.ts';

const REGION_URLS = 'us=https://api.example.com/,eu=https://api.eu.example.com';
/** On average; 145 operations came to 444,165 bytes. */
const OPERATION_BYTES_MAX = 3100;

let app: App;
let document: any;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_REGION_URLS: REGION_URLS });
  document = (await app.call('GET /openapi.json', { key: null })).body;
});
after(() => app.close());

const operations = (): any[] =>
  Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => ({ path, method, ...operation })),
  );
const named = (operation: string): any => operations().find(({ operationId }) => operationId === operation);
const resolved = (value: any): any =>
  '$ref' in value
    ? value.$ref
        .split('/')
        .slice(1)
        .reduce((held: any, step: string) => held[step], document)
    : value;

/** Where a value breaks its schema, or holds what the schema does not name. */
function faultsOf(given: any, value: unknown, path = ''): string[] {
  const schema = resolved(given);
  if (schema.anyOf) {
    const tried = schema.anyOf.map((choice: any) => faultsOf(choice, value, path));
    return tried.some((faults: string[]) => !faults.length) ? [] : tried.flat();
  }
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const types = [schema.type ?? []].flat();
  const isOfType = types.includes(type) || (Number.isInteger(value) && types.includes('integer'));
  if (types.length && !isOfType) return [`${path} is ${type}, not ${types.join()}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${path} is ${String(value)}`];
  if ('const' in schema && schema.const !== value) return [`${path} is ${String(value)}`];
  if (Array.isArray(value)) return value.flatMap((item) => faultsOf(schema.items ?? {}, item, `${path}[]`));
  if (type !== 'object' || !(schema.properties || schema.additionalProperties)) return [];
  const { properties = {}, additionalProperties, required = [] } = schema;
  const lacking = required.filter((name: string) => !(name in (value as object)));
  return [
    ...lacking.map((name: string) => `${path}.${name} is missing`),
    ...Object.entries(value as object).flatMap(([name, held]) => {
      const inner = properties[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      return inner ? faultsOf(inner, held, `${path}.${name}`) : [`${path}.${name} is not known`];
    }),
  ];
}

/** Every object of the document, with where it stands. */
function* objectsIn(value: unknown, path = ''): Generator<[string, any]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value];
  for (const [name, inner] of Object.entries(value)) if (name !== 'example') yield* objectsIn(inner, `${path}/${name}`);
}

describe('the OpenAPI document', () => {
  it('is small, as it is kept and as it is served', async () => {
    const kept = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
    const bytesMax = operations().length * OPERATION_BYTES_MAX;
    assert.ok(kept.length < bytesMax, `${kept.length} bytes, ${bytesMax} at most`);
    assert.ok(JSON.stringify(document).length < bytesMax);
  });

  it('refers to nothing that is not there, and keeps nothing that nobody refers to', () => {
    const refs = [...objectsIn(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []));
    assert.ok(refs.length > 1000);
    for (const ref of refs) assert.notEqual(resolved({ $ref: ref }), undefined, ref);
    const kept = ['schemas', 'responses', 'headers'].flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    assert.deepEqual(
      kept.filter((one) => !refs.includes(one)),
      [],
    );
  });

  it('writes each larger schema once, and each error answer', () => {
    const seen = new Map<string, string[]>();
    for (const [path, value] of objectsIn(document)) {
      if (value.properties && typeof value.properties === 'object' && !path.endsWith('/properties'))
        seen.set(JSON.stringify(value), [...(seen.get(JSON.stringify(value)) ?? []), path]);
    }
    assert.deepEqual(
      [...seen].filter(([text, paths]) => text.length > 200 && paths.length > 1).map(([, paths]) => paths),
      [],
    );
    for (const { path, method, responses } of operations()) {
      for (const [status, response] of Object.entries<any>(responses))
        assert.equal('$ref' in response, !status.startsWith('2'), `${method} ${path} ${status}`);
    }
  });

  it('names operations by verbs, each unlike any other', () => {
    const ids = operations().map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    const verbs =
      /^(accept|add|approve|claim|close|complete|compare|create|delegate|delete|disable|download|enable|enroll|export|extend|fail|fix|get|ignore|invite|list|optimize|reject|remove|rename|reprocess|request|resend|resolve|revoke|rotate|run|send|start|stop|test|update|upload|validate|verify)[A-Z]\w+$/;
    assert.deepEqual(
      ids.filter((id) => !verbs.test(id)),
      [],
    );
    assert.deepEqual(
      [named('createPreviewTest').path, named('createPreviewTestV1').deprecated],
      ['/v2/preview/tests', true],
    );
  });

  it('describes every operation', () => {
    assert.deepEqual(
      operations()
        .filter(({ summary, description }) => !summary || !description || description === summary)
        .map(({ operationId }) => operationId),
      [],
    );
  });

  it('has an example of the reply of every operation that answers with JSON, as its schema says', () => {
    const lacking: string[] = [];
    for (const { operationId, responses } of operations()) {
      const reply = (responses[200] ?? responses[201] ?? responses[202])?.content['application/json'];
      if (reply === undefined) continue;
      if (reply.example === undefined) lacking.push(operationId);
      else assert.deepEqual(faultsOf(reply.schema, reply.example), [], operationId);
    }
    assert.deepEqual(lacking, [], 'run `npm run examples`, and call these in a test');
  });

  it('has examples of requests that their schemas know', () => {
    const bodies = operations().flatMap(({ operationId, requestBody }) => {
      const json = requestBody?.content['application/json'];
      return json ? [{ operationId, ...json }] : [];
    });
    assert.ok(bodies.length >= 30);
    for (const { operationId, schema, example } of bodies) assert.deepEqual(faultsOf(schema, example), [], operationId);
  });

  it('shows nothing of the machine that the examples were recorded on', async () => {
    const examples = await readFile(new URL('examples.json', import.meta.url), 'utf8');
    const traces = examples.match(/.*(?:127\.0\.0\.1|localhost|\/tmp\/|\/home\/|\/root\/|\.[a-z]+:\d{5}\b).*/g);
    assert.deepEqual(traces, null);
    for (const [, secret] of examples.matchAll(/"(?:secret|password)":"([^"]*)"/g)) assert.match(secret!, /^example-/);
  });

  it('lets a caller leave out what has a default', () => {
    const inputs = operations().flatMap(({ requestBody }) =>
      Object.values<any>(requestBody?.content ?? {}).map(({ schema }) => resolved(schema)),
    );
    for (const [path, { required, properties }] of inputs.flatMap((schema) => [...objectsIn(schema)])) {
      if (Array.isArray(required))
        assert.deepEqual(
          required.filter((name) => /Default: /.test(properties?.[name]?.description)),
          [],
          path,
        );
      for (const [name, one] of Object.entries<any>(properties ?? {}))
        assert.ok(!('default' in one), `${name}: some generators ask for what has a default`);
    }
    assert.deepEqual(resolved(named('createKey').requestBody.content['application/json'].schema).required, ['role']);
    assert.equal(
      resolved(named('createDomain').requestBody.content['application/json'].schema).properties.web_prefix.description,
      'Default: `"email"`.',
    );
    assert.deepEqual(
      operations()
        .flatMap(({ parameters = [] }) => parameters)
        .filter((one: any) => one.required && one.schema.default !== undefined),
      [],
    );
  });

  it('says which bodies may be forms, and which hold a file', () => {
    const typesOf = (id: string): string[] => Object.keys(named(id).requestBody.content);
    const all = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
    assert.deepEqual(
      [typesOf('createSeedList'), typesOf('createSession'), typesOf('uploadImage'), typesOf('compareLinkTest')],
      [all, all.slice(0, 1), [all[0], all[2]], all.slice(2)],
    );
    const file = resolved(named('compareLinkTest').requestBody.content['multipart/form-data'].schema);
    assert.deepEqual([file.required, file.properties.csv.format], [['csv'], 'binary']);
  });

  it('says what every operation may be refused with', () => {
    for (const { operationId, method, responses, security } of operations()) {
      const needed = [
        '400',
        '405',
        '500',
        '503',
        ...(security ? [] : ['401', '403', '429']),
        ...(method === 'get' || method === 'delete' ? [] : ['413', '415', '507']),
      ];
      assert.deepEqual(
        needed.filter((status) => !(status in responses)),
        [],
        operationId,
      );
      for (const status of ['425', '429', '503', '507'])
        if (responses[status])
          assert.ok('Retry-After' in resolved(responses[status]).headers, `${operationId} ${status}`);
      assert.ok('Allow' in resolved(responses['405']).headers);
    }
    assert.ok('Retry-After' in named('getLinkTest').responses[200].headers);
    for (const { operationId, deprecated = false, responses } of operations())
      assert.equal('Deprecation' in (responses[200]?.headers ?? {}), deprecated, operationId);
  });

  it('gives every preview operation 400, 401, 500 and the error object for any other', () => {
    const bodyOf = (response: any): any => resolved(resolved(response).content['application/json'].schema);
    const previews = operations().filter(({ tags, security }) => tags.includes('Email preview') && !security);
    assert.ok(previews.filter(({ path }) => path.startsWith('/v1/')).length >= 12);
    for (const { operationId, responses } of previews) {
      for (const status of ['400', '401', '500', 'default']) assert.ok(responses[status], `${operationId} ${status}`);
      for (const status of ['403', '429', 'default'])
        assert.deepEqual(
          Object.keys(bodyOf(responses[status]).properties.error.properties),
          ['name', 'message'],
          `${operationId} ${status}`,
        );
    }
  });

  it('labels the operations on spam tests V1', () => {
    const spam = operations().filter(({ path }) => path.startsWith('/v1/inspect/spam'));
    assert.ok(spam.length >= 7);
    for (const { tags } of spam) assert.deepEqual(tags, ['Spam testing V1']);
  });

  it('names the address of each region, its own first', async () => {
    assert.deepEqual(document.servers, [
      { url: 'https://api.example.com', description: 'Region us.' },
      { url: 'https://api.eu.example.com', description: 'Region eu.' },
    ]);
  });
});

describe('the description of a group', () => {
  it('has the version of its contract, and its operations alone', async () => {
    const found: any = {};
    for (const name of ['preview', 'alerts', 'sending']) {
      const { status, body } = await app.call(`GET /openapi/${name}.json`, { key: null });
      assert.equal(status, 200);
      assert.deepEqual(body.servers, document.servers);
      found[name] = [
        body.info.version,
        [...new Set(Object.keys(body.paths).map((path) => path.split('/').slice(1, 3).join('/')))].sort(),
      ];
    }
    assert.deepEqual(found, {
      preview: [
        '1.0.0',
        ['files/exports', 'files/previews', 'files/shares', 'v1/preview', 'v1/previews', 'v2/preview'],
      ],
      alerts: ['0.0.1', ['v1/alerts', 'v1/galley']],
      sending: ['0.0.0', ['v1/keys', 'v3/domains', 'v4/domains', 'v5/accounts']],
    });
    assert.equal((await app.call('GET /openapi/other.json', { key: null })).status, 404);
  });
});

describe('the page about the API', () => {
  it('says at /docs what to know before the first call', async () => {
    const { body } = await app.call('GET /docs', { key: null });
    for (const title of ['Authentication', 'Regions', 'Paging', 'Errors', 'Retention', 'Rate limits'])
      assert.match(body, new RegExp(`<h2>${title}</h2>\\s*<p>`));
  });
});

describe('a deployment without addresses of regions', () => {
  it('names the one that its reader used', async () => {
    const plain = await startApp({ GALLEY_ROLES: 'api' });
    try {
      assert.deepEqual((await plain.call('GET /openapi.json', { key: null })).body.servers, [
        { url: plain.url, description: 'This deployment.' },
      ]);
    } finally {
      await plain.close();
    }
  });
});

describe('an account of the other region', () => {
  it('is a 404 that names where that is, for the account and for its domains', async () => {
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Abroad')).body.subaccount;
    const ask = (path: string): Promise<any> => app.call(`GET ${path}`, { headers: { 'x-service-account-id': id } });
    // As the deployment of the other region would have made it, in the same database.
    await app.galley.outside.db.run(sql`update accounts set region = 'eu' where id = ${id}`);
    const message = 'This account, with its domains, is in the region eu: call https://api.eu.example.com.';
    for (const path of ['/v4/domains/mail.example.com', '/v1/inspect/links']) {
      const { status, body } = await ask(path);
      assert.deepEqual([status, body.message], [404, message], path);
    }
    assert.equal((await app.call('GET /v1/inspect/links')).status, 200);
  });

  it('is asked for in one form only', async () => {
    for (const urls of ['us', 'us=ftp://x', 'uk=https://x.example', 'us=https://a.example,us=https://b.example']) {
      await assert.rejects(
        startApp({ GALLEY_REGION_URLS: urls }),
        /GALLEY_REGION_URLS is ".*": give region=URL for us, eu or both/,
      );
    }
  });
});
