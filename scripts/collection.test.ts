// docs/collections: its shape is that of the format, every operation is in it, and what it asks is answered.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { operationsOf, type OpenApiDocument } from '../src/platform/http/index.ts';
import { startApp, type App } from '../test/harness/start-app.ts';
import type { Collection } from './generate-collection.ts';

const ROOT = join(import.meta.dirname, '..');
const read = async (name: string): Promise<any> => JSON.parse(await readFile(join(ROOT, name), 'utf8'));
const collection: Collection = await read('docs/collections/galley.postman_collection.json');
const document: OpenApiDocument = await read('openapi.json');

/** Nothing but these fields. */
const closed = (properties: Record<string, any>): any => Type.Object(properties, { additionalProperties: false });
const text = Type.String();
const words = Type.String({ minLength: 1 });
const field = closed({ key: words, value: text, disabled: Type.Optional(Type.Literal(true)) });
const json = closed({ raw: closed({ language: Type.Literal('json') }) });
const part = Type.Union([
  closed({ key: words, type: Type.Literal('text'), value: text }),
  closed({ key: words, type: Type.Literal('file'), src: Type.Null() }),
]);
const request = closed({
  method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  description: Type.Optional(words),
  auth: Type.Optional(closed({ type: Type.Literal('noauth') })),
  header: Type.Optional(Type.Array(field)),
  url: closed({
    raw: Type.String({ pattern: String.raw`^\{\{baseUrl\}\}/` }),
    host: Type.Tuple([Type.Literal('{{baseUrl}}')]),
    path: Type.Array(words),
    query: Type.Optional(Type.Array(field)),
    variable: Type.Optional(Type.Array(field)),
  }),
  body: Type.Optional(
    Type.Union([
      closed({ mode: Type.Literal('raw'), raw: words, options: json }),
      closed({ mode: Type.Literal('formdata'), formdata: Type.Array(part) }),
    ]),
  ),
});
/** What we use of Postman's format 2.1, written by its published description. */
const shape = Compile(
  closed({
    info: closed({
      name: words,
      description: words,
      schema: Type.Literal('https://schema.getpostman.com/json/collection/v2.1.0/collection.json'),
    }),
    auth: closed({
      type: Type.Literal('basic'),
      basic: Type.Array(closed({ key: words, value: words, type: Type.Literal('string') })),
    }),
    variable: Type.Array(field),
    item: Type.Array(
      closed({
        name: words,
        description: Type.Optional(words),
        item: Type.Array(closed({ name: words, request }), { minItems: 1 }),
      }),
    ),
  }),
);

const requests = collection.item.flatMap(({ name: group, item }) => item.map((one) => ({ group, ...one.request })));
type Listed = (typeof requests)[number];

/** The path as the OpenAPI document writes it. */
const pathOf = ({ url }: Listed): string => `/${url.path.map((part) => part.replace(/^:(\w+)$/, '{$1}')).join('/')}`;

/** The address that a client asks: variables filled, what is switched off left out. */
function addressOf({ url }: Listed, baseUrl: string): string {
  const values = new Map(url.variable?.map(({ key, value }) => [key, value]));
  const path = url.path.map((part) => (part.startsWith(':') ? encodeURIComponent(values.get(part.slice(1))!) : part));
  const query = new URLSearchParams();
  for (const { key, value, disabled } of url.query ?? []) if (!disabled) query.append(key, value);
  return `${baseUrl}/${path.join('/')}${query.size ? `?${query}` : ''}`;
}

describe('the collection', () => {
  it('has the shape of the format', () => {
    assert.deepEqual([...shape.Errors(collection)], []);
    const wrong = structuredClone(collection) as any;
    delete wrong.item[0].item[0].request.method;
    wrong.item[1].item[0].request.body = { mode: 'json', json: {} };
    assert.ok([...shape.Errors(wrong)].length >= 2);
  });

  it('has every operation once, in the group of its tag', () => {
    const listed = requests.map((one) => `${one.group}: ${one.method} ${pathOf(one)}`);
    const all = operationsOf(document).map(({ method, path, operation }) => `${operation.tags![0]}: ${method} ${path}`);
    assert.deepEqual(listed.toSorted(), all.toSorted());
  });

  it('gives each variable of a path a value, and each body its example', () => {
    const operations = new Map(
      operationsOf(document).map(({ method, path, operation }) => [`${method} ${path}`, operation]),
    );
    for (const one of requests) {
      const path = pathOf(one);
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      const { url, body } = one;
      assert.deepEqual((url.variable ?? []).map(({ key }) => key).toSorted(), named.toSorted(), path);
      assert.ok(
        (url.variable ?? []).every(({ value }) => value !== ''),
        path,
      );
      const { requestBody, security } = operations.get(`${one.method} ${path}`)!;
      const example = requestBody?.content['application/json']?.example;
      assert.deepEqual(body?.mode === 'raw' ? JSON.parse(body.raw) : undefined, example, path);
      if (requestBody?.required && example === undefined) assert.equal(body?.mode, 'formdata', path);
      assert.equal(one.auth !== undefined, security?.length === 0, path);
    }
  });
});

describe('what the collection asks', () => {
  let app: App;
  before(async () => {
    app = await startApp({ GALLEY_ROLES: 'api' });
  });
  after(() => app.close());

  it('is there, with the key as its password', async () => {
    const questions = requests.filter(({ method }) => method === 'GET');
    assert.ok(questions.length > 200, `only ${questions.length} questions`);
    for (const one of questions) {
      const authorization = `Basic ${btoa(`api:${app.key}`)}`;
      const answer = await fetch(addressOf(one, app.url), {
        headers: one.auth ? {} : { authorization },
        redirect: 'manual',
        signal: AbortSignal.timeout(20_000),
      });
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
      const said = isStream ? '' : await answer.text();
      if (isStream) await answer.body?.cancel();
      assert.ok(![405, 415, 500].includes(answer.status), `${pathOf(one)}: ${answer.status} ${said}`);
      if (!one.auth) assert.notEqual(answer.status, 401, pathOf(one));
      assert.doesNotMatch(said, /There is nothing at/, pathOf(one));
    }
  });
});
