// What every endpoint shares, through the front door.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FEATURES } from '../src/app/features.ts';
import { startApp, type App } from './harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
});
after(() => app.close());

describe('the server', () => {
  it('answers /health without a key', async () => {
    const { status, body } = await app.call('GET /health', { key: null });
    assert.equal(status, 200);
    assert.deepEqual(
      { status: body.status, roles: body.roles, region: body.region },
      { status: 'ok', roles: ['api'], region: 'us' },
    );
  });

  it('names the method and path that are not there', async () => {
    const { status, body } = await app.call('GET /v9/nothing?x=1');
    assert.deepEqual([status, body], [404, { message: 'There is nothing at GET /v9/nothing.' }]);
  });

  it('answers a browser that asks for a path where nothing is with the dashboard, and programs and the API’s paths with JSON', async () => {
    const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const answer = async (path: string, accept: string, method = 'GET') => {
      const { status, headers } = await app.call(`${method} ${path}`, { key: null, headers: { accept } });
      return [status, headers.get('content-type')?.split(';', 1)[0], headers.get('content-security-policy') !== null];
    };
    for (const path of ['/nope', '/nope/deeper?x=1', '/previewsx', '/assets'])
      assert.deepEqual(await answer(path, BROWSER), [404, 'text/html', true], path);
    for (const path of ['/v1/nope', '/v9/nope', '/v2', '/files/nope'])
      assert.deepEqual(await answer(path, BROWSER), [404, 'application/json', false], path);
    assert.deepEqual(await answer('/nope', '*/*'), [404, 'application/json', false]);
    assert.deepEqual(await answer('/nope', 'application/json'), [404, 'application/json', false]);
    assert.deepEqual(await answer('/nope', BROWSER, 'POST'), [404, 'application/json', false]);
  });

  it('takes JSON in UTF-8 only, by its declaration and by its bytes', async () => {
    const post = async (text: string, type: string) => {
      const response = await fetch(`${app.url}/v2/preview/tests`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`api:${app.key}`)}`, 'content-type': type },
        body: Buffer.from(text, 'latin1'),
      });
      return [response.status, ((await response.json()) as { message: string }).message];
    };
    assert.deepEqual(await post('{"subject":"Gr\xfc\xdfe","html":"<p>x</p>"}', 'application/json'), [
      400,
      'The body is not valid UTF-8; send JSON in UTF-8.',
    ]);
    assert.deepEqual(await post('{"subject":"x"}', 'application/json; charset=iso-8859-1'), [
      400,
      'The body is declared as iso-8859-1; send JSON in UTF-8.',
    ]);
    assert.deepEqual(await post('{"subject":', 'application/json; charset="UTF-8"'), [
      400,
      'The body is not valid JSON.',
    ]);
    const hostile = [
      '{"__proto__":{}}',
      String.raw`{"\u005f_proto__":{}}`,
      '{"constructor":{"prototype":{}}}',
      String.raw`{"\u0063onstructor":{"prototype":{}}}`,
    ];
    const long = `,"html":"${'x'.repeat(400_000)}"}`;
    for (const text of [...hostile, ...hostile.map((one) => `${one.slice(0, -1)}${long}`)])
      assert.deepEqual(await post(text, 'application/json'), [400, 'The body is not valid JSON.'], text.slice(0, 60));
    const spoken = `{"subject":"constructor"${long.slice(0, -2)} __proto__ constructor","clients":["nobody"]}`;
    assert.match((await post(spoken, 'application/json'))[1] as string, /^clients names no client that exists/);
    assert.equal((await post('', 'application/json'))[1], 'The body is empty; send a JSON object.');
  });

  it('answers 405 with the methods that are allowed', async () => {
    const { status, body, headers } = await app.call('PUT /v2/preview/tests');
    assert.deepEqual([status, body], [405, { message: 'PUT is not allowed here; use POST or GET.' }]);
    assert.equal(headers.get('allow'), 'POST, GET');
  });

  it('refuses a multipart body that breaks its syntax, and one beyond the limit in sum', async () => {
    const send = (body: string, contentType: string) =>
      app.call('POST /v1/inspect/links', { body, headers: { 'content-type': contentType } });
    for (const [body, contentType] of [
      ['{}', 'multipart/form-data'],
      ['{}', 'multipart/form-data; boundary=x'],
      ['--x\r\ncontent-disposition: form-data; name="a"\r\n\r\ncut', 'multipart/form-data; boundary=x'],
    ] as const) {
      const { status, body: answer } = await send(body, contentType);
      assert.deepEqual([status, answer], [400, { message: 'The body is not a well-formed multipart form.' }], body);
    }
    const part = `--x\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\n${'a'.repeat(150_000)}\r\n`;
    const { status, body } = await app.call('POST /v2/preview/tests/x/exports', {
      body: `${part.repeat(8)}--x--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    assert.deepEqual([status, body.message], [413, 'The request body is larger than this endpoint accepts.']);
  });

  it('refuses U+0000 in every field that is no document', async () => {
    for (const [operation, body, field] of [
      ['POST /v2/preview/tests', { subject: 'a\0b', html: '<p>x</p>' }, 'subject'],
      ['POST /v2/preview/tests', { subject: 'a', html: '<p>x</p>', tags: ['a', 'b\0'] }, 'tags[1]'],
      [
        'POST /v1/inspect/gate',
        { html: '<p>x</p>', policy: { ignore: [{ rule: 'a', reason: '\0' }] } },
        'policy.ignore[0].reason',
      ],
    ] as const) {
      const { status, body: answer } = await app.call(operation, { body });
      assert.deepEqual(
        [status, JSON.stringify(answer).includes(`${field} must not hold the character U+0000.`)],
        [400, true],
        field,
      );
    }
  });

  it('says what is wrong with a list that is far too long, by its first value', async () => {
    const links = (values: unknown[]) => app.call('POST /v1/inspect/links', { body: { links: values } });
    const [status, body] = await links(Array.from({ length: 200_000 }, () => 1)).then((answer) => [
      answer.status,
      answer.body,
    ]);
    assert.deepEqual([status, body], [400, { message: 'links[0] must be string.' }]);
    const { status: many, body: said } = await links(Array.from({ length: 60_000 }, () => 'x'));
    assert.deepEqual([many, said], [400, { message: 'links must not have more than 25000 items.' }]);
  });

  it('refuses a body with more in it than it takes a moment to parse, and names the field', async () => {
    const post = async (body: object) => {
      const answer = await app.call('POST /v2/preview/tests', { body: { subject: 'x', html: 'x', ...body } });
      return [answer.status, answer.body.message];
    };
    const members = 'members of objects; at most 50000 are accepted in a body.';
    const rows = Array.from({ length: 60_000 }, (_, a) => ({ a }));
    assert.deepEqual(await post({ data: { rows } }), [400, `data holds too many ${members}`]);
    const names = Object.fromEntries(rows.map(({ a }) => [`a"${a}`, a]));
    assert.deepEqual(await post({ 'da"ta': names }), [400, `da"ta holds too many ${members}`]);
    const ones = Array.from({ length: 1_000_001 }, () => 1);
    const values = 'values; at most 1000000 are accepted in a body.';
    assert.deepEqual(await post({ html: ones }), [400, `html holds too many ${values}`]);
    // What only looks like it, in a text, is one value.
    const text = String.raw`,:{["a\",":1}]`.repeat(60_000);
    assert.match((await post({ html: text, clients: ['nobody'] }))[1], /^clients names no client that exists/);
    const filling = 'x'.repeat(300_000);
    assert.deepEqual((await post({ data: { rows: rows.slice(0, 40_000), filling } }))[0], 200);
  });

  it('reads and writes long texts in parts, and cuts no character and no escape', async () => {
    const piece = `<p>"\\\\\\"\t\u0001\u2028ü€😀\\u00e4</p>\r\n`;
    // Every character as an escape, too.
    const escaped = (text: string): string =>
      text.replaceAll(/./gsu, (one) =>
        Array.from({ length: one.length }, (_, n) => `\\u${one.charCodeAt(n).toString(16).padStart(4, '0')}`).join(''),
      );
    for (let shift = 0; shift < 7; shift += 1) {
      const [plain, last] = [`${'x'.repeat(shift)}${piece.repeat(12_000)}`, piece.repeat(3000)];
      const written = JSON.stringify(plain).slice(0, -1) + escaped(last);
      const response = await fetch(`${app.url}/v1/inspect/gate`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`api:${app.key}`)}`, 'content-type': 'application/json' },
        body: `{"html":${written}","subject":"x"}`,
      });
      const made = (await response.json()) as { items: { id: string } };
      assert.equal(response.status, 201, JSON.stringify(made));
      const { body, headers } = await app.call(`GET /v1/inspect/gate/${made.items.id}/message`);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(headers.get('content-length'), String(Buffer.byteLength(JSON.stringify(body))));
      assert.ok(body.content === plain + last, `shifted by ${shift}`);
    }
  });

  it('refuses a long body for what a short one is refused', async () => {
    const post = async (text: string) => {
      const response = await fetch(`${app.url}/v2/preview/tests`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`api:${app.key}`)}`, 'content-type': 'application/json' },
        body: text,
      });
      return [response.status, ((await response.json()) as { message: string }).message];
    };
    const long = 'x'.repeat(400_000);
    const notJson = [400, 'The body is not valid JSON.'];
    for (const wrong of [String.raw`\q`, String.raw`\u12`, '\n', '\u0001'])
      assert.deepEqual(await post(`{"subject":"x","html":"${long}${wrong}${long}"}`), notJson, JSON.stringify(wrong));
    for (const rest of ['', '"', '"]', '"}}', '","'])
      assert.deepEqual(await post(`{"subject":"x","html":"${long}${rest}`), notJson, rest);
    assert.deepEqual(await post(`["${long}"]`), [400, 'The body must be object.']);
    assert.deepEqual(await post(`{"html":"<p>x</p>","subject":"${long}${String.raw`\u0000`}"}`), [
      400,
      'subject must not hold the character U+0000.',
    ]);
    // Of a name that comes again the last value counts.
    const again = await post(`{"subject":"x","html":"${long}","html":7}`);
    assert.deepEqual(again, [400, 'html must be string.']);
  });

  it('keeps what a message holds, U+0000 included', async () => {
    const mime =
      'From: Ann <ann@example.com>\r\nTo: ben@example.com\r\nSubject: =?utf-8?q?a=00b?=\r\nContent-Type: text/html\r\n\r\n<p>a\0b</p>';
    const { status, body } = await app.call('POST /v1/inspect/spam', { body: { mime } });
    assert.deepEqual([status, body.item?.subject], [201, 'a\uFFFDb'], JSON.stringify(body));
    const named = mime.replace('To: ', 'X-A\0b: 1\r\nTo: ');
    const test = await app.call('POST /v2/preview/tests', {
      body: { subject: 'x', mime: named, clients: ['gmail_chrome'] },
    });
    assert.equal(test.status, 200, JSON.stringify(test.body));
    const { body: shown } = await app.call(`GET /v2/preview/tests/${test.body.id}`);
    assert.equal(shown.headers['x-a\uFFFDb'], '1', JSON.stringify(shown.headers));
  });

  it('refuses U+0000 in a path and in a query', async () => {
    for (const operation of [
      'GET /v1/inspections/%00',
      'GET /v1/inspect/links?url=a%00',
      'DELETE /v1/inspect/images/%00',
    ]) {
      const { status, body } = await app.call(operation);
      assert.deepEqual(
        [status, body],
        [400, { message: `${operation.includes('url') ? 'url' : 'id'} must not hold the character U+0000.` }],
      );
    }
  });

  it('shows every endpoint in the OpenAPI document, with a page to read it', async () => {
    const { body } = await app.call('GET /openapi.json', { key: null });
    assert.equal(body.openapi, '3.1.0');
    for (const { contract } of FEATURES.flatMap((feature) => feature.endpoints))
      assert.ok(
        body.paths[contract.path]?.[contract.method.toLowerCase()],
        `${contract.method} ${contract.path} is missing`,
      );
    const page = await app.call('GET /docs/', { key: null });
    assert.equal(page.status, 200);
    assert.match(page.body, /<title>/);
  });

  it('counts requests and jobs for Prometheus', async () => {
    await app.call('GET /v2/preview/tests');
    const { body } = await app.call('GET /metrics', { key: null });
    assert.match(
      body,
      /galley_http_request_seconds_count\{method="GET",route="\/v2\/preview\/tests",status="200"\} [1-9]/,
    );
    assert.match(body, /# TYPE galley_jobs gauge/);
    assert.match(body, /process_resident_memory_bytes/);
  });

  it('answers 401 on every endpoint that asks for a key', async () => {
    for (const { contract } of FEATURES.flatMap((feature) => feature.endpoints)) {
      const path = contract.path.replaceAll(/\{\w+\}/g, 'x');
      const { status } = await app.call(`${contract.method} ${path}`, {
        key: null,
        ...(contract.body && { body: {} }),
      });
      if (contract.access === 'none') assert.notEqual(status, 500, `${contract.method} ${path}`);
      else assert.equal(status, 401, `${contract.method} ${path}`);
    }
  });
});
