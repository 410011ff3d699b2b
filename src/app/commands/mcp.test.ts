// `galley mcp`, driven by the protocol's reference client, and by lines that no client would send.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'node:test';
import { startProgram } from '../../../test/harness/program.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SDK = join(ROOT, '.runtime/test-packages-mcp/node_modules/@modelcontextprotocol/sdk/dist/esm/client');
const PROGRAM = [join(ROOT, 'bin/galley.mjs'), 'mcp'];
const ENV = { GALLEY_OPTIONAL_ENGINES: 'off', GALLEY_BROWSERS: '1', GALLEY_FIND_FILTERS: 'off' };
const HTML =
  '<!doctype html>\n<html lang="en" dir="ltr"><head><meta charset="utf-8"><title>Spring</title></head><body>\n' +
  '<div lang="en" dir="ltr"><img src="x.png" width="10" height="10"><p>Words</p></div></body></html>\n';

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-mcp-test-'));
  await mkdir(join(dir, 'mails'));
  await writeFile(join(dir, 'mails/spring.html'), HTML);
  await writeFile(join(dir, 'mails/mail.tsx'), 'export default () => null;');
  await writeFile(join(dir, 'secret.html'), HTML);
  await symlink(join(dir, 'secret.html'), join(dir, 'mails/link.html'));
});
after(() => rm(dir, { recursive: true, force: true }));

interface Result {
  content: { type: string; text?: string; data?: string; mimeType?: string }[];
  isError?: boolean;
}

const missing = !existsSync(SDK) && 'the reference client is not installed (node scripts/tool.mjs --with mcp)';

describe('galley mcp, with the reference client', { skip: missing }, () => {
  let client: any;
  const call = (name: string, given: object): Promise<Result> =>
    client.callTool({ name, arguments: given }, undefined, { timeout: 200_000 }) as Promise<Result>;
  const textOf = ({ content }: Result): string => content.map(({ text = '' }) => text).join('\n');

  before(async () => {
    const { Client } = await import(pathToFileURL(join(SDK, 'index.js')).href);
    const { StdioClientTransport } = await import(pathToFileURL(join(SDK, 'stdio.js')).href);
    client = new Client({ name: 'test', version: '1.0.0' });
    const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...ENV };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: PROGRAM, cwd: join(dir, 'mails'), env }),
    );
  });
  after(() => client?.close());

  it('offers five tools, of which only fix may change something', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, annotations }: any) => [name, annotations.readOnlyHint]),
      [
        ['preview', true],
        ['check', true],
        ['fix', false],
        ['spam', true],
        ['explain', true],
      ],
    );
    for (const { inputSchema } of tools) assert.equal(inputSchema.additionalProperties, false);
  });

  it('previews a file as pictures that say how they were made', async () => {
    const { content, isError } = await call('preview', { path: 'spring.html', clients: ['gmail_chrome', 'ol2021'] });
    assert.equal(isError, undefined, JSON.stringify(content).slice(0, 500));
    assert.deepEqual(
      content.map(({ type }) => type),
      ['text', 'image', 'text', 'image'],
    );
    assert.match(content[0]!.text!, /^gmail_chrome: engine, /);
    assert.match(content[2]!.text!, /^ol2021: emulated, /);
    for (const { data, mimeType } of content.filter(({ type }) => type === 'image')) {
      assert.equal(mimeType, 'image/jpeg');
      assert.equal(Buffer.from(data!, 'base64').subarray(0, 3).toString('hex'), 'ffd8ff');
    }
  });

  it('checks HTML', async () => {
    const checked = await call('check', { html: HTML });
    assert.match(textOf(checked), /^FAIL email\.html\n/);
    assert.match(textOf(checked), /- error accessibility\/image-alt \(line 3\): /);
  });

  it('explains a rule that an email breaks', async () => {
    const told = await call('explain', { html: HTML, rule: 'accessibility/image-alt' });
    assert.match(textOf(told), /^accessibility\/image-alt \(error\): .*\nWhat to do: /);
    assert.equal((await call('explain', { html: HTML, rule: 'links/nothing' })).isError, true);
  });

  it('repairs a file only when it is asked to write', async () => {
    const shown = await call('fix', { path: 'spring.html' });
    assert.match(textOf(shown), /^\+.*alt=""/m);
    assert.equal(await readFile(join(dir, 'mails/spring.html'), 'utf8'), HTML);
    await call('fix', { path: 'spring.html', write: true });
    assert.match(await readFile(join(dir, 'mails/spring.html'), 'utf8'), /<img alt="" src="x\.png"/);
  });

  it('judges a message as filters and simulated receivers would', async () => {
    const { content, isError } = await call('spam', { html: HTML, subject: 'Spring' });
    assert.equal(isError, undefined);
    assert.match(content[0]!.text!, /Simulated receivers \(rules of Galley; a real provider may decide differently\)/);
  });

  it('reads nothing outside its folder, and says what is wrong with what it is given', async () => {
    for (const path of ['../secret.html', 'link.html', join(dir, 'secret.html')])
      assert.match(textOf(await call('check', { path })), /is outside .*, the folder that this server may read/);
    for (const [given, said] of [
      [{}, /^Give one of path, html, eml and url; 0 were given\.$/],
      [{ html: HTML, path: 'spring.html' }, /; 2 were given\.$/],
      [{ path: 'none.html' }, /^path: none\.html cannot be read: /],
      [{ path: 'mail.tsx' }, /^path: mail\.tsx is a source, and making an email from it runs code of its project\./],
      [{ html: 'words' }, /neither HTML/],
      [{ url: 'file:///etc/passwd' }, /^url must match pattern/],
      [{ html: HTML, more: 1 }, /^There is no more; check takes path, html, eml, url, subject\.$/],
      [{ html: HTML, subject: 7 }, /^subject must be string/],
    ] as const) {
      const { isError, content } = await call('check', given);
      assert.equal(isError, true, JSON.stringify(given));
      assert.match(content[0]!.text!, said);
    }
    const { content } = await call('preview', { html: HTML, clients: ['none'] });
    assert.match(content[0]!.text!, /Unknown client id: none/);
  });

  it('stops a call that is cancelled', async () => {
    const stopping = new AbortController();
    const call = client.callTool({ name: 'check', arguments: { html: HTML } }, undefined, { signal: stopping.signal });
    stopping.abort();
    await assert.rejects(call);
    assert.deepEqual(await client.ping(), {});
  });
});

describe('galley mcp', () => {
  it('answers what is no request with an error, ignores other notices, and ends with its input', async () => {
    const server = startProgram([process.execPath, ...PROGRAM], {
      cwd: dir,
      env: ENV,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const lines = [
      'nonsense',
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","method":"notifications/strange"}',
      '',
      '{"jsonrpc":"2.0","id":"a","method":"resources/list"}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"none"}}',
      '{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}',
      '',
    ];
    server.child.stdin?.end(lines.join('\n'));
    assert.equal((await server.ended).code, 0, server.stderr());
    const answers = server
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as any);
    // In any order.
    assert.deepEqual(answers.map(({ id, error, result }) => `${id} ${error?.code ?? result?.protocolVersion}`).sort(), [
      '2 -32602',
      '3 2025-06-18',
      'a -32601',
      'null -32600',
      'null -32700',
    ]);
  });

  it('refuses a folder that is not there', async () => {
    const server = startProgram([process.execPath, ...PROGRAM, '--root', 'nowhere'], { cwd: dir, env: ENV });
    assert.equal((await server.ended).code, 2);
    assert.match(server.stderr(), /^--root nowhere cannot be read: /);
  });
});
