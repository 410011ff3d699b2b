// What checks of one message ask for is read once, and never for another message.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyzeCode } from '../../../engines/code-analysis/index.ts';
import { checkHygiene, inboxRows } from '../../../engines/hygiene/index.ts';
import { findImages } from '../../../engines/images/index.ts';
import { findLinks } from '../../../engines/links/index.ts';
import { messageHtml } from '../../../engines/source/index.ts';
import { readMessage, type StoredSource } from './stored.ts';

const HTML =
  '<!doctype html><title>May</title><style>p{color:red}</style><p>Hi {{name}}, <a href="https://a.example/">read</a>' +
  '<img src="cid:logo" alt="Logo"><!--[if mso]><table><tr><td>Word</td></tr></table><![endif]--></p>';
const MIME = [
  'Subject: May',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  HTML,
  '--b--',
  '',
].join('\r\n');

const source = (body: string, more: Partial<StoredSource> = {}): StoredSource => ({
  kind: 'html',
  url: null,
  body: Buffer.from(body).toString('base64'),
  ...more,
});

describe('a message', () => {
  for (const [kind, body] of [
    ['html', HTML],
    ['mime', MIME],
  ] as const) {
    it(`is read once for checks that ask one after the other (${kind})`, async () => {
      const first = await readMessage(source(body, { kind }));
      const second = await readMessage(source(body, { kind, name: 'another name' }));
      assert.equal(second, first);
      assert.equal(second.read.message, first.read.message);
      assert.equal(second.read.written, first.read.written);
    });
  }

  it('is never taken for another one: other bytes, another kind, another page', async () => {
    const first = await readMessage(source(MIME));
    for (const other of [
      source(`${MIME} `),
      source(MIME, { kind: 'mime' }),
      source(MIME, { kind: 'url', url: 'https://a.example/' }),
      source(MIME, { kind: 'url', url: 'https://b.example/' }),
    ]) {
      const message = await readMessage(other);
      assert.notEqual(message, first);
      assert.deepEqual([message.kind, message.baseUrl], [other.kind, other.url ?? undefined]);
    }
  });

  it('of more than 300 kB is not kept', async () => {
    const long = source(`<p>${'x'.repeat(300_000)}`);
    assert.notEqual(await readMessage(long), await readMessage(long));
  });

  it('that is read tells every check the same as its text does, in any order', () => {
    const read = messageHtml(HTML);
    const checks: [name: string, check: (given: string | ReturnType<typeof messageHtml>) => unknown][] = [
      ['links', (given) => findLinks(given)],
      ['images', (given) => findImages(given)],
      ['code', (given) => analyzeCode(given)],
      ['hygiene', (given) => checkHygiene({ html: HTML }, typeof given === 'string' ? undefined : given)],
      ['inbox', (given) => inboxRows({ html: HTML }, typeof given === 'string' ? undefined : given)],
    ];
    for (const [name, check] of [...checks, ...checks.toReversed()]) assert.deepEqual(check(read), check(HTML), name);
  });
});
