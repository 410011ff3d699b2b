// How calls of tests become the examples of the OpenAPI document.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecordedCall } from '../test/harness/recorded-calls.ts';
import { chooseExamples } from './examples/choose.ts';
import { withoutTraces } from './examples/neutral.ts';
import { trimmed } from './examples/trim.ts';

const recordedAtMs = Date.parse('2026-11-22T17:06:36Z');
const recording = { operationId: 'getThing', recordedAtMs, baseUrl: 'http://127.0.0.1:39509' };

describe('what differs from run to run', () => {
  const cases: [name: string, given: unknown, shown: unknown][] = [
    ['the address of the service', 'http://127.0.0.1:39509/v1/keys', 'https://galley.example.com/v1/keys'],
    ['a server of the test', 'http://127.0.0.1:1234/a.png', 'https://www.example.com/a.png'],
    ['the same in a query', 'x?url=http%3A%2F%2F127.0.0.1%3A33875%2Fa', 'x?url=https%3A%2F%2Fwww.example.com%2Fa'],
    ['an address of this machine', { address: '127.0.0.1' }, { address: '192.0.2.1' }],
    ['a random port', { port: 31_664 }, { port: 993 }],
    ['a port of the field', { port: 587 }, { port: 587 }],
    ['a time', '2026-11-22T17:06:35.123Z', '2026-01-15T09:30:00.000Z'],
    ['a time without fractions', '2026-11-22T17:06:35Z', '2026-01-15T09:30:00Z'],
    ['a time without a zone', '2026-11-22T17:06:35', '2026-01-15T09:30:00'],
    ['a time in a name', 'Seed list of 2026-11-22 17:06', 'Seed list of 2026-01-15 09:30'],
    ['a time to come', '2026-12-22T17:06:40Z', '2026-02-14T09:30:00Z'],
    ['a time of mail', 'Sun, 22 Nov 2026 17:06:30 +0000', 'Thu, 15 Jan 2026 09:30:00 +0000'],
    ['Unix seconds', { date: 1_795_367_190, text: 't=1795367190;' }, { date: 1_768_469_400, text: 't=1768469400;' }],
    ['a fact of long ago', '2019-02-01T00:00:00Z', '2019-02-01T00:00:00Z'],
    ['the day of a data set', '2026-05-13', '2026-05-13'],
    [
      'how long something took',
      { load_time_ms: 37, ms: 0, delay_seconds: 0.7 },
      { load_time_ms: 120, ms: 0, delay_seconds: 0.5 },
    ],
    ['a secret', { secret: 'key-445a20ec4111' }, { secret: 'example-secret' }],
    ['a key of DKIM', `k=rsa; p=${'MIIB'.repeat(20)}==`, 'k=rsa; p=MIIBMIIBMIIBMIIBMIIB…'],
  ];
  for (const [name, given, shown] of cases)
    it(`is replaced: ${name}`, () => assert.deepEqual(withoutTraces(given, recording), shown));

  it('is replaced by the same id for the same id, and by others in other operations', () => {
    const of = (id: string, operationId = 'getThing'): any =>
      withoutTraces({ id, links: { self: `/v1/things/${id}` }, other: 'b'.repeat(24) }, { ...recording, operationId });
    const [first, again, elsewhere] = [of('a1'.repeat(12)), of('c3'.repeat(12)), of('a1'.repeat(12), 'listThings')];
    assert.deepEqual(first, again);
    assert.match(first.id, /^[0-9a-f]{24}$/);
    assert.equal(first.links.self, `/v1/things/${first.id}`);
    assert.notEqual(first.id, first.other);
    assert.notEqual(first.id, elsewhere.id);
    const uuid = withoutTraces('29101da4-7e4a-4b09-9b26-7263cca53371', recording);
    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('a long value', () => {
  const texts = { type: 'array', items: { type: 'string' } };
  it('keeps its fields, and few of its items and words', () => {
    const schema = { type: 'object', properties: { names: texts, about: { type: 'string' }, url: { type: 'string' } } };
    const url = `https://example.com/${'a'.repeat(150)}`;
    const shown = trimmed({ names: ['a', 'b', 'c', 'd'], about: 'x'.repeat(500), url }, schema) as any;
    assert.deepEqual([shown.names, shown.about.length, shown.about.at(-1), shown.url], [['a', 'b'], 120, '…', url]);
  });

  it('keeps few entries of a map', () => {
    const schema = { type: 'object', additionalProperties: { type: 'integer' } };
    assert.deepEqual(trimmed({ a: 1, b: 2, c: 3 }, schema), { a: 1, b: 2 });
  });

  it('keeps less where it is longer, and is no example where that is not enough', () => {
    const many = { type: 'array', items: { type: 'object', properties: { names: texts } } };
    const names = Array.from({ length: 9 }, () => 'n'.repeat(119));
    assert.deepEqual(trimmed([{ names }, { names }, { names }], many), [{ names: [names[0]] }]);
    const fields = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`field${index}`, 'text']));
    const properties = Object.fromEntries(Object.keys(fields).map((name) => [name, { type: 'string' }]));
    assert.equal(trimmed(fields, { type: 'object', properties }), undefined);
  });
});

describe('the example of an operation', () => {
  const reply = { type: 'object', properties: { status: { type: 'string' }, size: { type: 'integer' } } };
  const body = { type: 'object', properties: { name: { type: 'string' } } };
  const json = (schema: object): any => ({ 'application/json': { schema } });
  const operation = (method: string, path: string, operationId: string): any => ({
    folder: 'src/features/proof/things',
    contract: { method, path, operationId },
    operation: {
      operationId,
      parameters: [{ name: 'limit', in: 'query' }],
      requestBody: { content: json(body) },
      responses: { 200: { content: json(reply) } },
    },
  });
  const operations = [
    operation('GET', '/v1/things/{id}', 'getThing'),
    operation('GET', '/v1/things/kinds', 'listKinds'),
    operation('POST', '/v1/things', 'createThing'),
  ];
  const own = 'src/features/proof/things/things.test.ts';
  const call = (given: string, answered: object, more: Partial<RecordedCall> = {}): RecordedCall => ({
    file: own,
    recordedAtMs,
    operation: given,
    status: 200,
    reply: answered,
    baseUrl: recording.baseUrl,
    ...more,
  });
  const chosen = (...calls: RecordedCall[]): any =>
    Object.fromEntries(Object.entries(chooseExamples(operations, calls)).map(([id, { example }]) => [id, example]));

  it('shows most fields, with what was asked', () => {
    const calls = [
      call('GET /v1/things/a?limit=1', { status: 'done' }),
      call('GET /v1/things/b', { status: 'done', size: 1 }),
    ];
    assert.deepEqual(chosen(...calls).getThing, { path: { id: 'b' }, reply: { status: 'done', size: 1 } });
    assert.deepEqual(chosen(calls[0]!).getThing, {
      path: { id: 'a' },
      query: { limit: '1' },
      reply: { status: 'done' },
    });
  });

  it('is that of the fixed path where one could be an id', () =>
    assert.deepEqual(Object.keys(chosen(call('GET /v1/things/kinds', { size: 1 }))), ['listKinds']));

  it('comes from the feature’s own tests, from work that is done, from a request without stray white space', () => {
    const done = call('GET /v1/things/a', { status: 'done' });
    const more = { status: 'done', size: 1 };
    const elsewhere = call('GET /v1/things/b', more, { file: 'src/features/proof/other/other.test.ts' });
    const underWay = call('GET /v1/things/c', { status: 'Processing', size: 1 });
    assert.deepEqual(chosen(elsewhere, underWay, done).getThing.path, { id: 'a' });
    const untidy = call('POST /v1/things', more, { body: { name: ' a\n' } });
    assert.deepEqual(chosen(untidy, call('POST /v1/things', { size: 1 }, { body: { name: 'a' } })).createThing.body, {
      name: 'a',
    });
  });

  it('is no call that sends what the document does not name, or more than a reader reads', () => {
    for (const sent of [{ color: 'red' }, { name: 'x '.repeat(500) }, { name: 'A'.repeat(200) }])
      assert.deepEqual(chosen(call('POST /v1/things', { size: 1 }, { body: sent })), {});
    assert.deepEqual(chosen(call('GET /v1/things/a?color=red', { size: 1 })), {});
  });

  it('is the same in whichever order the test files ran', () => {
    const other = call('GET /v1/things/b', { size: 1 }, { file: 'src/features/proof/things/a.test.ts' });
    const one = call('GET /v1/things/a', { size: 1 });
    assert.deepEqual(chosen(one, other), chosen(other, one));
  });
});
