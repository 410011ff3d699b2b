import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sarifFaults } from '../../../test/harness/sarif-schema.ts';
import { readXml } from '../../../test/harness/strict-xml.ts';

const ROOT = join(import.meta.dirname, '../../..');
const ENV = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  GALLEY_OPTIONAL_ENGINES: 'off',
  GALLEY_BROWSERS: '1',
};

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-check-'));
  await cp(join(ROOT, 'docs/example'), join(dir, 'example'), { recursive: true });
});
after(() => rm(dir, { recursive: true, force: true }));

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The command as a user runs it. */
function start(args: string[]): { child: ChildProcess; stdout: () => string; stderr: () => string } {
  const child = spawn(process.execPath, [join(ROOT, 'bin/galley.mjs'), 'check', ...args], { cwd: dir, env: ENV });
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return { child, stdout: () => stdout, stderr: () => stderr };
}

async function galley(...args: string[]): Promise<Ran> {
  const { child, stdout, stderr } = start(args);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}

async function put(name: string, text: string): Promise<string> {
  await writeFile(join(dir, name), text);
  return name;
}

const CLEAN =
  '<!doctype html>\n<html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" ' +
  'content="width=device-width"><title>Spring</title></head>\n<body><div lang="en" dir="ltr"><h1>Spring</h1><p>Words' +
  '</p></div></body></html>\n';

describe('galley check', () => {
  it('reports on the example of the README: grouped, with places and what to do; 1 for a failure', async () => {
    const { code, stdout, stderr } = await galley('example/mail.html');
    assert.equal(code, 1, stderr);
    assert.match(stdout, /^example\/mail\.html\n\n {2}Code {2}\d+ error/);
    for (const title of ['Hygiene', 'Links', 'Images', 'Accessibility'])
      assert.match(stdout, new RegExp(`\n {2}${title} {2}`), title);
    assert.match(stdout, / {4}✖ accessibility\/color-contrast-dark .*fails\n/);
    assert.match(stdout, / {6}50:146 {2}“Unsubscribe” has 2\.\d+:1/);
    assert.match(stdout, / {6}Fix {2}Choose colors/);
    // Its pictures lie beside it, which is told and does not fail.
    assert.match(stdout, /▲ images\/absolute-url {2}4 places\n/);
    assert.doesNotMatch(stdout, /images\/broken/);
    assert.match(stdout, /\nFAIL {2}example\/mail\.html: \d+ errors/);
    assert.equal(stdout.includes('\u001b'), false);
  });

  it('writes SARIF that is valid by its schema, to a file', async () => {
    const { code, stdout, stderr } = await galley('example/mail.html', '--format', 'sarif', '--output', 'report.sarif');
    assert.deepEqual([code, stdout, stderr], [1, '', 'FAIL  the report is in report.sarif\n']);
    const log = JSON.parse(await readFile(join(dir, 'report.sarif'), 'utf8'));
    assert.deepEqual(sarifFaults(log), []);
    assert.ok(log.runs[0].results.length > 10);
    assert.equal(log.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri, 'example/mail.html');
    assert.equal(log.runs[0].invocations[0].executionSuccessful, true);
  });

  it('writes JUnit and GitHub annotations, several emails at once', async () => {
    await put('clean.html', CLEAN);
    const junit = await galley('clean.html', 'example/mail.html', '--checks', 'code', '--format', 'junit');
    assert.equal(junit.code, 1);
    const suites = readXml(junit.stdout).children.map(({ attributes }) => attributes['name']);
    assert.deepEqual(
      suites.filter((name) => name?.startsWith('clean.html')).length > 0 &&
        suites.some((name) => name === 'example/mail.html – Code'),
      true,
    );
    const annotations = await galley(
      'example/mail.html',
      '--checks',
      'code',
      '--format',
      'github',
      '--also',
      'markdown=a.md',
      '--also',
      'junit=a.xml',
    );
    assert.match(await readFile(join(dir, 'a.md'), 'utf8'), /^## Galley: 1 of 1 email failed\n\n\| Email \|/);
    assert.equal(readXml(await readFile(join(dir, 'a.xml'), 'utf8')).name, 'testsuites');
    for (const line of annotations.stdout.trimEnd().split('\n')) assert.match(line, /^::(error|warning|notice) /);
    assert.match(annotations.stdout, /::error file=example\/mail\.html,line=19,col=63,title=code\/css-box-sizing::/);
  });

  it('ends with 0 when the policy is met, and takes the policy of the folder', async () => {
    await put('clean.html', CLEAN);
    const { code, stdout } = await galley(
      'clean.html',
      '--checks',
      'code,links,images,accessibility',
      '--format',
      'json',
    );
    assert.deepEqual([code, JSON.parse(stdout).verdict], [0, 'pass'], stdout);
    await put('lenient.json', JSON.stringify({ fail_on: 'never' }));
    assert.equal((await galley('example/mail.html', '--checks', 'code', '--policy', 'lenient.json')).code, 0);
    await put('galley.policy.json', JSON.stringify({ limits: { html_bytes_max: 10 } }));
    const limited = await galley('clean.html', '--checks', 'code').finally(() => rm(join(dir, 'galley.policy.json')));
    assert.equal(limited.code, 1);
    assert.match(limited.stdout, /limits\.html_bytes_max is 10, and it is \d+\./);
  });

  it('reads whole messages', async () => {
    await put(
      'mail.eml',
      'From: a@example.com\r\nTo: b@example.com\r\nSubject: Spring\r\nMIME-Version: 1.0\r\n' +
        `Content-Type: text/html; charset=utf-8\r\n\r\n${CLEAN}`,
    );
    const { stdout } = await galley('mail.eml', '--checks', 'code', '--format', 'json');
    const [{ checks }] = JSON.parse(stdout).emails;
    assert.ok(
      checks
        .find(({ check }: any) => check === 'hygiene')
        .findings.some(({ rule }: any) => rule === 'hygiene/list-unsubscribe'),
    );
  });

  it('reads a file in the encoding that it says', async () => {
    const text = CLEAN.replace('utf-8', 'iso-8859-1').replace('<p>Words</p>', '<p><a href="#">Grüße</a></p>');
    await writeFile(join(dir, 'western.html'), Buffer.from(text, 'latin1'));
    const { stdout, stderr } = await galley('western.html', '--checks', 'accessibility', '--format', 'json');
    assert.match(stdout, /The link “Grüße” leads nowhere/, stderr);
  });

  it('ends with 2 for wrong usage, and says what is right', async () => {
    await put('bad.json', '{"limits": {"html_bytes_max": "many"}}');
    await put('broken.json', '{');
    await put('clean.html', CLEAN);
    await put('empty.html', ' ');
    const cases: [string[], RegExp][] = [
      [[], /^galley check <mail\.html \| mail\.eml \| URL>/],
      [['nothing.html'], /^nothing\.html cannot be read: ENOENT/],
      [['clean.html', 'nothing.html'], /^nothing\.html cannot be read: ENOENT/],
      [
        ['example/images'],
        /^example\/images holds no email: no file in it ends in \.html, \.htm, \.eml, and none is a source of one\.\n$/,
      ],
      [['clean.html', 'empty.html', '--checks', 'code'], /^empty\.html: html is empty\.\n$/],
      [
        ['clean.html', '--format', 'pdf'],
        /^--format must be one of pretty, json, sarif, junit, markdown, github; it is "pdf"\.\n$/,
      ],
      [
        ['clean.html', '--checks', 'spelling'],
        /^--checks must be one of code, links, images, accessibility, screenshots/,
      ],
      [
        ['clean.html', '--policy', 'bad.json'],
        /^bad\.json: policy\.limits\.html_bytes_max must be a whole number from 0 up\.\n$/,
      ],
      [['clean.html', '--policy', 'broken.json'], /^The policy broken\.json is not valid JSON/],
      [['clean.html', '--policy', 'none.json'], /^The policy none\.json cannot be read/],
      [['clean.html', '--approve'], /^--approve needs --baseline DIR/],
      [['clean.html', '--clients', 'gmail_chrome'], /^--clients needs --baseline DIR/],
      [['clean.html', '--baseline', 'b', '--clients', 'gmail_in_space'], /Unknown client id: gmail_in_space/],
      [['clean.html', '--looks', 'adjust'], /^--looks needs --fix/],
      [
        ['clean.html', '--also', 'pdf=x.pdf'],
        /^--also must be one of pretty, json, sarif, junit, markdown, github; it is "pdf"\.\n$/,
      ],
      [
        ['clean.html', '--also', 'junit='],
        /^--also must be a format and a file, such as junit=galley\.xml; it is "junit="\./,
      ],
      [['clean.html', '--fix', '--looks', 'better'], /^--looks must be one of keep, adjust; it is "better"\./],
      [['https://example.com/', '--fix'], /^--fix writes HTML files/],
      [['https://example.com/', '--watch'], /^--watch watches files/],
      [
        ['http://127.0.0.1:9/a', '--checks', 'code'],
        /^http:\/\/127\.0\.0\.1:9\/a is refused: its host is not public\. GALLEY_ALLOW_HOSTS=127\.0\.0\.1:9 allows it\.\n$/,
      ],
      [['clean.html', '--color'], /Unknown option/],
    ];
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await galley(...args);
      assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, message);
    }
    const help = await galley('--help');
    assert.deepEqual([help.code, help.stdout.startsWith('galley check <mail.html')], [0, true]);
    assert.match(help.stdout, /Exit codes: 0 passed, 1 failed by the policy, 2 could not run, or wrong usage\./);
  });
});

describe('galley check --fix', () => {
  it('repairs the file itself, says so, and shows the difference', async () => {
    await put(
      'fixable.html',
      CLEAN.replace('<html lang="en" dir="ltr">', '<html>')
        .replace('<div lang="en" dir="ltr">', '<div>')
        .replace('<h1>', '<table><tr><td>One</td></tr></table><h1>'),
    );
    const first = await galley('fixable.html', '--checks', 'accessibility', '--fix', '--format', 'json');
    assert.match(
      first.stderr,
      /^fixable\.html was changed in \d+ places; accessibility failures went from \d+ to \d+\.\n/,
    );
    assert.match(first.stderr, /\n--- a\/fixable\.html\n\+\+\+ b\/fixable\.html\n/);
    assert.match(first.stderr, /\n-<html>/);
    assert.match(first.stderr, /\n\+<html[^>]* lang="en"/);
    assert.match(await readFile(join(dir, 'fixable.html'), 'utf8'), /<html[^>]* lang="en"/);
    assert.equal(
      JSON.parse(first.stdout).emails[0].checks[0].findings.some(
        ({ rule, severity }: any) => rule === 'accessibility/html-has-lang' && severity !== 'pass',
      ),
      false,
    );
    assert.match(
      (await galley('fixable.html', '--checks', 'accessibility', '--fix')).stderr,
      /^fixable\.html: nothing to fix\.\n/,
    );
  });

  it('adjusts the looks with --looks adjust, and says what looks different', async () => {
    const pale = (color: string): string => CLEAN.replace('<p>Words</p>', `<p style="color:${color}">Words</p>`);
    await put('pale.html', pale('#999999'));
    assert.match(
      (await galley('pale.html', '--checks', 'accessibility', '--fix')).stderr,
      /^pale\.html: nothing to fix\.\n/,
    );
    assert.match(
      (await galley('pale.html', '--checks', 'accessibility', '--fix', '--looks', 'adjust')).stderr,
      /^pale\.html was changed in 1 places; accessibility failures went from 1 to 0\.\n[^]*\n {2}looks {4}pale\.html:3 {2}color-contrast: #999999 on #ffffff was 2\.84:1; #767676 is 4\.54:1\.\n/,
    );
    assert.equal(await readFile(join(dir, 'pale.html'), 'utf8'), pale('#767676'));
  });
});

describe('galley check --baseline', () => {
  it('approves pictures, passes while they are the same, and fails with a picture of the difference', async () => {
    await put('shot.html', CLEAN);
    const args = ['shot.html', '--baseline', 'shots', '--clients', 'gmail_chrome,ol2021', '--checks', 'screenshots'];
    const without = await galley(...args);
    assert.equal(without.code, 0, without.stderr);
    assert.match(without.stdout, /▲ screenshots\/no-baseline {2}2 places\n/);
    const approved = await galley(...args, '--approve');
    assert.equal(approved.code, 0, approved.stderr);
    assert.match(approved.stderr, /^2 pictures were approved: shots\/shot\n$/);
    assert.deepEqual((await readdir(join(dir, 'shots/shot'))).sort(), [
      'engines.json',
      'gmail_chrome.png',
      'ol2021.png',
    ]);
    // The clients are those of the baseline.
    const same = await galley('shot.html', '--baseline', 'shots', '--checks', 'screenshots', '--format', 'json');
    assert.equal(same.code, 0, same.stderr);
    assert.deepEqual(
      JSON.parse(same.stdout).emails[0].checks[0].findings.map(({ rule, details }: any) => [rule, details.client]),
      [
        ['screenshots/unchanged', 'gmail_chrome'],
        ['screenshots/unchanged', 'ol2021'],
      ],
    );
    await put(
      'shot.html',
      CLEAN.replace('<p>Words</p>', '<p>Words</p><p style="background:#c00;height:120px">New</p>'),
    );
    const changed = await galley('shot.html', '--baseline', 'shots', '--checks', 'screenshots');
    assert.equal(changed.code, 1);
    assert.match(changed.stdout, /✖ screenshots\/changed {2}2 places {2}fails\n/);
    const difference = await readFile(join(dir, 'shots/shot/gmail_chrome.difference.png'));
    assert.equal(difference.subarray(1, 4).toString(), 'PNG');
  });
});

describe('galley check --watch', () => {
  it('checks again when the file changes, and ends with Ctrl-C and the last verdict', async () => {
    await put('watched.html', CLEAN.replace('<p>Words</p>', '<p>Words *|FNAME|*</p>'));
    await put('watch.json', JSON.stringify({ rules: { 'hygiene/merge-tag': 'error' } }));
    const { child, stdout, stderr } = start(['watched.html', '--checks', 'code', '--policy', 'watch.json', '--watch']);
    const closed = once(child, 'close');
    const until = async (holds: () => boolean): Promise<void> => {
      while (!holds() && child.exitCode === null) await Promise.race([once(child.stderr!, 'data'), closed]);
      assert.ok(holds(), `${stdout()}${stderr()}`);
    };
    const rounds = (): number => stderr().split('Watching for changes').length - 1;
    await until(() => rounds() === 1);
    assert.match(stdout(), /FAIL {2}watched\.html/);
    await put('watched.html', CLEAN);
    await until(() => rounds() === 2);
    assert.match(stdout(), /PASS {2}watched\.html/);
    child.kill('SIGINT');
    assert.deepEqual(await closed, [0, null]);
  });
});
