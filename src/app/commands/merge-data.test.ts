// `--data file.json` of every command that takes a message.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startSite, type Site } from '../../../test/harness/link-playground.ts';
import { check } from './check.ts';
import { preview } from './preview.ts';
import { spam } from './spam.ts';
import { UsageError } from './usage.ts';

/** The commands that take the option. */
const VERBS = { check, preview, spam };
const MAIN = join(import.meta.dirname, '../../main.ts');
const HTML =
  '<!doctype html>\n<html lang="en" dir="ltr"><head><meta charset="utf-8"><title>For {{name}}</title></head>\n' +
  '<body><div lang="en" dir="ltr"><h1>Spring</h1><p>Dear *|NAME|*, {{words}}</p><p><a href="{{shop}}/spring">' +
  'The spring list</a></p></div></body></html>\n';
/** What every filter takes for spam. */
const GTUBE = ['XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD', 'ANTI-UBE-TEST-EMAIL*C.34X'].join('-');

let folder: string;
let site: Site;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-merge-data-'));
  site = await startSite({
    handle: (request, response) => void response.writeHead(request.url === '/spring' ? 404 : 200).end(),
  });
  await writeFile(join(folder, 'mail.html'), HTML);
  await writeFile(
    join(folder, 'mail.eml'),
    'From: a@example.com\r\nTo: b@example.com\r\nSubject: For {{name}}\r\nMIME-Version: 1.0\r\n' +
      `Content-Type: text/html; charset=utf-8\r\n\r\n${HTML}`,
  );
  const data = { name: 'Ann', NAME: 'Ann', words: 'the beds are ready.', shop: site.origin };
  await writeFile(join(folder, 'data.json'), JSON.stringify(data));
  // As some programs of Windows write it.
  await writeFile(
    join(folder, 'marked.json'),
    Buffer.from(`\ufeff${JSON.stringify({ ...data, words: GTUBE })}`, 'utf16le'),
  );
});
after(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

function galley(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    GALLEY_FIND_FILTERS: 'off',
    GALLEY_OPTIONAL_ENGINES: 'off',
    GALLEY_BROWSERS: '1',
    GALLEY_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('--data', () => {
  it('is filled in before galley check looks, in files and in whole messages', async () => {
    const findings = async (...args: string[]): Promise<string[]> => {
      const { stdout, stderr } = await galley(
        'check',
        'mail.html',
        'mail.eml',
        '--checks',
        'code,links',
        '--format',
        'json',
        ...args,
      );
      assert.match(stderr, /^\[1\/2\]/);
      const all = JSON.parse(stdout).emails.map(({ checks }: any) =>
        checks
          .flatMap((check: any) => check.findings)
          .filter(({ severity }: any) => severity !== 'pass')
          .map(({ rule }: any) => rule),
      );
      return all.map((rules: string[]) =>
        rules.filter((rule) => rule === 'hygiene/merge-tag' || rule === 'links/reachable').join(),
      );
    };
    assert.deepEqual(await findings(), ['hygiene/merge-tag', 'hygiene/merge-tag']);
    assert.deepEqual(site.requests, []);
    // The link is there now, and dead.
    assert.deepEqual(await findings('--data', 'data.json'), ['links/reachable', 'links/reachable']);
    assert.deepEqual(site.requests, ['GET /spring']);
  });

  it('is filled in before galley preview draws', async () => {
    const subjectOf = async (...args: string[]): Promise<string> =>
      JSON.parse(
        (await galley('preview', 'mail.html', '--clients', 'gmail_chrome', '--json', '--data', 'data.json', ...args))
          .stdout,
      ).subject;
    assert.deepEqual(
      [await subjectOf('--out', 'plain'), await subjectOf('--out', 'given', '--subject', 'To {{name}}')],
      ['For Ann', 'To Ann'],
    );
    assert.match(await readFile(join(folder, 'plain/index.html'), 'utf8'), /<h1>For Ann<\/h1>/);
  });

  it('is filled in before galley spam judges', async () => {
    for (const name of ['mail.html', 'mail.eml']) {
      const { stdout } = await galley('spam', name, '--offline', '--data', 'marked.json');
      assert.match(stdout, /GTUBE/, name);
      assert.doesNotMatch((await galley('spam', name, '--offline', '--data', 'data.json')).stdout, /GTUBE/, name);
    }
  });

  it('ends with 2 when the file is wrong, and says how', async () => {
    await writeFile(join(folder, 'good.json'), '{"name":"Ann"}');
    await writeFile(join(folder, 'open.html'), '<p>\n{{#if name}}</p>');
    const cases: [message: string, file: string, said: RegExp][] = [
      ['mail.html', 'none.json', /^--data none\.json cannot be read: ENOENT/],
      ['open.html', 'good.json', /^open\.html: html is no template that can be filled, line 2: /],
    ];
    for (const command of Object.keys(VERBS)) {
      for (const [message, file, said] of cases) {
        const { code, stdout, stderr } = await galley(command, message, '--data', file);
        assert.deepEqual([code, stdout], [2, ''], `${command} ${file}: ${stderr}`);
        assert.match(stderr, said);
      }
    }
  });

  // A start of the program takes most of the time: what the programs above say at their end is what the verbs throw.
  it('is told from all that is no merge data', async () => {
    await mkdir(join(folder, 'dir'));
    const files: Record<string, string> = {
      'broken.json': '{"name": ',
      'list.json': '["Ann"]',
      'long.json': JSON.stringify({ name: 'x'.repeat(2_000_000) }),
      'longer.json': ' '.repeat(9_000_000),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const cases: [file: string, said: RegExp][] = [
      ['dir', /^--data dir is a folder; name a JSON file\.$/],
      ['broken.json', /^--data broken\.json is not valid JSON: /],
      ['list.json', /^--data list\.json must be a JSON object\.$/],
      ['long.json', /^--data long\.json is 2000011 characters of JSON; at most 1048576 are accepted\.$/],
      ['longer.json', /^--data longer\.json is larger than 8 MiB, more than merge data may be\.$/],
    ];
    const here = process.cwd();
    process.chdir(folder);
    try {
      for (const [command, verb] of Object.entries(VERBS)) {
        for (const [file, message] of cases) {
          const fault = await verb(['mail.html', '--data', file]).catch((error: unknown) => error);
          assert.ok(fault instanceof UsageError, `${command} ${file}: ${String(fault)}`);
          assert.match(fault.message, message);
        }
      }
    } finally {
      process.chdir(here);
    }
  });
});
