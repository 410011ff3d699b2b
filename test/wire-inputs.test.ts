// What several groups of the API read alike: times, base64, files. Each is read in one place, so each holds everywhere.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from './harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
});
after(() => app.close());

async function refusal(operation: string, body?: unknown): Promise<[status: number, words: string]> {
  const answer = await app.call(operation, { body });
  const { message, Reason, errors } = answer.body;
  return [answer.status, message ?? Reason ?? errors?.[0]?.detail?.[0] ?? JSON.stringify(answer.body)];
}

describe('a time in a query', () => {
  const FIELDS = [
    ['/v2/preview/tests', 'from'],
    ['/v1/preview/tests', 'to'],
    ['/v1/previews/summary', 'from'],
    ['/v4/inbox/seedlists', 'time_before'],
    ['/v4/inbox/results', 'time_after'],
  ] as const;
  for (const [path, field] of FIELDS) {
    it(`is taken in each form by ${path}`, async () => {
      for (const text of ['1448013600', '2015-11-20', '2015-11-20T10:00:00+02:00', 'Fri, 20 Nov 2015 10:00:00 -0000'])
        assert.equal((await app.call(`GET ${path}?${field}=${encodeURIComponent(text)}`)).status, 200, text);
    });
    it(`is refused by ${path} where it is none, with the field's name`, async () => {
      for (const text of [
        'soon',
        'foo 1',
        '2026-02-30',
        'Mon, 30 Feb 2026 00:00:00 +0000',
        `2015-11-20${' '.repeat(99)}x`,
      ]) {
        const [status, words] = await refusal(`GET ${path}?${field}=${encodeURIComponent(text)}`);
        assert.deepEqual([status, words.startsWith(`${field} `)], [400, true], words);
      }
    });
  }
});

describe('a parameter of a query that is repeated', () => {
  it('counts once where it says the same, and is refused where it does not', async () => {
    assert.equal((await app.call('GET /v3/domains?limit=5&limit=5')).status, 200);
    assert.deepEqual(await refusal('GET /v3/domains?limit=5&limit=6'), [400, 'limit must be integer.']);
  });
});

describe('base64 in a body', () => {
  const part = Buffer.from('<p>The roses by the south wall are in flower.</p>\n'.repeat(2)).toString('base64');
  /** Texts that were encoded apart and put together: what follows the first padding is lost. */
  const joined = `${Buffer.from('<p>ab').toString('base64')}\n${part.repeat(600)}`;
  const BODIES = [
    ['POST /v1/inspect/accessibility', (html: string) => ({ html, encoded: true })],
    ['POST /v1/inspect/images/upload', (image: string) => ({ image })],
    ['POST /v2/preview/tests', (mime: string) => ({ mime, transfer_encoding: 'base64', subject: 'May' })],
    [
      'POST /v1/inspect/spam',
      (mime: string) => ({ mime, transfer_encoding: 'base64', from: 'news@example.com', subject: 'May' }),
    ],
  ] as const;
  for (const [operation, bodyOf] of BODIES)
    it(`is refused by ${operation} where it is none`, async () => {
      for (const text of ['<p>', 'PHA+PHA=PHA', joined, `${part.repeat(600)}*`]) {
        const [status, words] = await refusal(operation, bodyOf(text));
        assert.equal(status, 400, words);
        assert.match(words, /^(?:html|image|mime) is not base64/);
      }
    });
});

describe('a file in a body', () => {
  it('is one file of a form', async () => {
    const path = `/v1/inspect/links/${'0'.repeat(24)}/csv`;
    assert.deepEqual(await refusal(`POST ${path}`, { csv: 'a,b' }), [
      400,
      'csv must be a file: send a multipart body.',
    ]);
    const form = new FormData();
    for (const name of ['a.csv', 'b.csv']) form.append('csv', new Blob(['url\n']), name);
    const answer = await fetch(app.url + path, {
      method: 'POST',
      body: form,
      headers: { authorization: `Basic ${Buffer.from(`api:${app.key}`).toString('base64')}` },
    });
    assert.deepEqual([answer.status, await answer.json()], [400, { message: 'csv was given more than once.' }]);
  });
});
