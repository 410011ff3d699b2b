// What checks of one message ask for is read once, and never for another message.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Session, type Profiler } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { judge } from '../../../engines/accessibility/index.ts';
import { CLIENTS, emulate, parseMessage } from '../../../engines/client-emulation/index.ts';
import { analyzeCode } from '../../../engines/code-analysis/index.ts';
import { checkHygiene } from '../../../engines/hygiene/index.ts';
import { inboxRows } from '../../../engines/inbox-rows/index.ts';
import { findImages } from '../../../engines/images/index.ts';
import { findLinks } from '../../../engines/links/index.ts';
import { messageHtml } from '../../../engines/source/index.ts';
import { assetUrls, glanceAtMime, unpackMime } from './computations.ts';
import { readHtml, readMessage, type StoredSource } from './stored.ts';

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

  it('whose document lacks bounds, or is beyond them, tells every check the same as its text does', () => {
    for (const html of ['<div>'.repeat(2_500), '<frameset><frame></frameset>', '']) {
      const read = messageHtml(html);
      const [client] = CLIENTS as [(typeof CLIENTS)[number]];
      const shown = (given: string | typeof read) => emulate(parseMessage(given, 's'), client, { images: true });
      assert.deepEqual(shown(read), shown(html));
      assert.deepEqual(judge({ html, dark: [] }, read), judge({ html, dark: [] }));
      assert.deepEqual(findImages(read), findImages(html));
    }
    const html = '<p>x</p>'.repeat(31_000);
    assert.deepEqual(judge({ html, dark: [] }, messageHtml(html)), judge({ html, dark: [] }));
  });
});

interface Parsed {
  documents: number;
  mails: number;
}

/** How often documents and whole messages were parsed, by the counts of V8. */
function parsedIn(scripts: readonly Profiler.ScriptCoverage[]): Parsed {
  const count = (file: RegExp, name: string): number =>
    scripts
      .filter(({ url }) => file.test(url))
      .flatMap(({ functions }) => functions.filter(({ functionName }) => functionName === name))
      .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  return {
    documents: count(/\/parse5\/dist\/index\.js$/, 'parse'),
    // It is called once for each, and never waits.
    mails: count(/\/engines\/mime\/blanks\.ts$/, 'shortenBlanks'),
  };
}

/** What is parsed in this process meanwhile. */
async function parsedWhile(work: () => Promise<void>): Promise<Parsed> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await work();
    return parsedIn((await session.post('Profiler.takePreciseCoverage')).result);
  } finally {
    session.disconnect();
  }
}

const STYLED = HTML.replaceAll(/<!--.*?-->/g, '');
const whole = (html: string): Buffer => Buffer.from(MIME.replace(HTML, html));

describe('how often a message is parsed', () => {
  it('once, whatever checks, clients and the list of what it shows ask for', async () => {
    const raw = whole(STYLED);
    const parsed = await parsedWhile(async () => {
      await glanceAtMime.run(raw);
      const { html } = await unpackMime.run(raw);
      const { read, html: written } = await readMessage({ kind: 'mime', url: null, body: raw });
      findLinks(read);
      findImages(read);
      analyzeCode(read);
      checkHygiene({ html: written }, read);
      judge({ html: written, dark: [] }, readHtml(written));
      for (const client of CLIENTS.slice(0, 5)) emulate(parseMessage(readHtml(written)), client, { images: true });
      await assetUrls.run({ html: written, baseUrl: undefined });
      // A part that is not there leaves the HTML as it was sent.
      assert.equal(html, written);
    });
    assert.deepEqual(parsed, { documents: 1, mails: 1 });
  });

  it('once for each document that clients see where comments are for some of them', async () => {
    const read = readHtml(`${HTML}<p>Another</p>`);
    const parsed = await parsedWhile(async () => {
      for (let again = 0; again < 3; again += 1)
        for (const client of CLIENTS) emulate(parseMessage(readHtml(read.html)), client, { images: true });
    });
    // What Word reads, and what all others do.
    assert.deepEqual(parsed, { documents: 2, mails: 0 });
  });

  it('by `galley check`: the message, and with marks for what dark modes make of it', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'galley-read-once-'));
    try {
      await writeFile(join(dir, 'mail.eml'), whole(STYLED));
      const program = join(import.meta.dirname, '../../../../bin/galley.mjs');
      const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], GALLEY_OPTIONAL_ENGINES: 'off' };
      await new Promise<void>((resolve) => {
        const args = [program, 'check', 'mail.eml', '--checks', 'code,links,images,accessibility'];
        execFile(process.execPath, args, { cwd: dir, env: { ...env, NODE_V8_COVERAGE: join(dir, 'counts') } }, () =>
          resolve(),
        );
      });
      const files = await readdir(join(dir, 'counts'));
      const read = await Promise.all(files.map((name) => readFile(join(dir, 'counts', name), 'utf8')));
      const scripts = read.flatMap((text) => (JSON.parse(text) as { result: Profiler.ScriptCoverage[] }).result);
      assert.deepEqual(parsedIn(scripts), { documents: 2, mails: 1 });
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
