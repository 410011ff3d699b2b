// `galley check` of several emails: one cache, a line each, folders, standard input, true times, and Ctrl-C.
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { startSite, type Site } from '../../../test/harness/link-playground.ts';
import { poisonEmail } from '../../../test/harness/poison-email.ts';
import { readXml } from '../../../test/harness/strict-xml.ts';
import { startUdpDns } from '../../../test/harness/udp-dns.ts';

const ROOT = join(import.meta.dirname, '../../..');
const ANSWER_MS = 300;

let dir: string;
let site: Site;
/** Answers that wait for a test to let them go. */
const held: ServerResponse[] = [];
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-check-many-'));
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#d00000' } })
    .png()
    .toBuffer();
  site = await startSite({
    handle(request, response) {
      const path = request.url ?? '';
      if (path.startsWith('/held')) return void held.push(response);
      if (path.startsWith('/slow')) return void setTimeout(() => response.end('slow'), ANSWER_MS);
      if (path.startsWith('/red')) return void response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
      if (path.startsWith('/gone')) return void response.writeHead(404).end();
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>A page</p>');
    },
  });
});
after(async () => {
  await site.close();
  await rm(dir, { recursive: true, force: true });
});

async function put(name: string, text: string): Promise<string> {
  await mkdir(dirname(join(dir, name)), { recursive: true });
  await writeFile(join(dir, name), text);
  return name;
}

const mail = (body: string): string =>
  '<!doctype html>\n<html lang="en" dir="ltr"><head><meta charset="utf-8"><title>Spring</title></head>\n' +
  `<body><div lang="en" dir="ltr"><h1>Spring</h1>${body}</div></body></html>\n`;
const linkTo = (path: string): string => `<p><a href="${site.origin}${path}">Words of ${path}</a></p>`;

/** The command as a user runs it, where the test's site may be asked. */
function start(
  args: string[],
  env: Record<string, string> = {},
  command = 'check',
  cwd = '',
): { child: ChildProcess; stdout: () => string; stderr: () => string; closed: Promise<unknown[]> } {
  const child = spawn(process.execPath, [join(ROOT, 'bin/galley.mjs'), command, ...args], {
    cwd: join(dir, cwd),
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      GALLEY_OPTIONAL_ENGINES: 'off',
      GALLEY_BROWSERS: '1',
      GALLEY_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
      ...env,
    },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return { child, stdout: () => stdout, stderr: () => stderr, closed: once(child, 'close') };
}

async function galley(
  args: string[],
  { env, input, cwd }: { env?: Record<string, string>; input?: string; cwd?: string } = {},
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const { child, stdout, stderr, closed } = start(args, env, 'check', cwd);
  child.stdin?.end(input ?? '');
  const [code] = await closed;
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Looks again whenever the program says something or the site is asked, until it holds. */
async function until(holds: () => boolean | Promise<boolean>, { child }: { child: ChildProcess }): Promise<void> {
  while (!(await holds())) {
    assert.equal(child.exitCode, null, 'it ended before');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('galley check of several emails', () => {
  it('asks for what they share once, dead or not, and reports on each', async () => {
    const body = (own: string): string =>
      mail(
        `${linkTo('/page')}${linkTo('/gone')}${linkTo(own)}<img src="${site.origin}/red.png" ` +
          'alt="Red" width="60" height="40">',
      );
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await put(`shared/${name}.html`, body(`/own-${name}`));
    const { code, stdout, stderr } = await galley(['shared', '--format', 'json']);
    assert.equal(code, 1, stderr);
    const asked = site.requests.filter((request) => !request.includes('/own-')).sort();
    assert.deepEqual(asked, ['GET /gone', 'GET /page', 'GET /red.png']);
    for (const { email, checks } of JSON.parse(stdout).emails) {
      const broken = checks
        .find(({ check }: any) => check === 'links')
        .findings.filter(({ severity }: any) => severity === 'error');
      assert.deepEqual(broken.map(({ rule, details }: any) => [rule, details?.url ?? '']).length, 1, email);
      assert.ok(
        checks
          .find(({ check }: any) => check === 'images')
          .findings.some(({ rule }: any) => rule === 'images/properties'),
        email,
      );
    }
  });

  it('asks once for a host that is not there, whatever leads to it', async () => {
    const dns = await startUdpDns({});
    try {
      const body = (own: string): string =>
        mail(
          `<p><a href="http://dead.example/${own}">One</a> <a href="http://dead.example/two">Two</a></p>` +
            `<img src="http://dead.example/${own}.png" alt="No">`,
        );
      for (const name of ['a', 'b', 'c']) await put(`dead/${name}.html`, body(name));
      const { code, stderr } = await galley(['dead', '--checks', 'links,images'], {
        env: { GALLEY_DNS_SERVERS: `127.0.0.1:${dns.port}` },
      });
      // These name servers know nothing of the root, so that nobody can say whose fault it is.
      assert.equal(code, 0, stderr);
      assert.deepEqual(dns.asked.filter((question) => question.startsWith('dead.example')).sort(), [
        'dead.example A',
        'dead.example AAAA',
      ]);
    } finally {
      await dns.close();
    }
  });

  it('tells of each as it is done, while others are still at work', async () => {
    await put('held.html', mail(linkTo('/held')));
    await put('quick.html', mail('<p>Words</p>'));
    const run = start(['held.html', 'quick.html', '--checks', 'links', '--format', 'json']);
    await until(
      () => held.length > 0 && /^\[1\/2\] PASS {2}quick\.html: 0 errors, 0 warnings \(\d+\.\d s\)$/m.test(run.stderr()),
      run,
    );
    assert.equal(run.stdout(), '');
    held.splice(0).forEach((response) => response.end('there'));
    assert.deepEqual(await run.closed, [0, null]);
    assert.match(
      run.stderr(),
      /^\[1\/2\] PASS {2}quick\.html: .*\n\[2\/2\] PASS {2}held\.html: 0 errors, \d warnings? \(\d+\.\d s\)\n$/,
    );
    // In the order of the command line, whoever was done first.
    assert.deepEqual(
      JSON.parse(run.stdout()).emails.map(({ email }: any) => email),
      ['held.html', 'quick.html'],
    );
    assert.equal(
      (await galley(['held.html', 'quick.html', '--checks', 'code', '--quiet', '--format', 'json'])).stderr,
      '',
    );
  });

  it('takes folders with everything below them, and standard input', async () => {
    for (const name of [
      'in/b.html',
      'in/a.HTM',
      'in/deep/er/c.eml',
      'in/.hidden/d.html',
      'in/node_modules/e.html',
      'in/notes.txt',
      'in/style.css',
    ]) {
      await put(
        name,
        name.endsWith('.eml')
          ? 'From: a@example.com\r\nSubject: Spring\r\nContent-Type: text/html; charset=utf-8\r\n' +
              `\r\n${mail('<p>Words</p>')}`
          : mail('<p>Words</p>'),
      );
    }
    await symlink(join(dir, 'in'), join(dir, 'in/deep/round'));
    const { stdout, stderr } = await galley(['-', 'in/b.html', 'in', '--checks', 'code', '--format', 'json'], {
      input: mail('<p>Typed</p>'),
    });
    assert.deepEqual(
      JSON.parse(stdout).emails.map(({ email }: any) => email),
      ['stdin', 'in/b.html', 'in/a.HTM', 'in/deep/er/c.eml'],
      stderr,
    );
    const fix = await galley(['in', '--fix']);
    assert.deepEqual([fix.code, fix.stderr], [2, '--fix writes HTML files; in/deep/er/c.eml is none.\n']);
    await mkdir(join(dir, 'many'));
    await Promise.all(Array.from({ length: 1001 }, (_, index) => writeFile(join(dir, `many/${index}.html`), '<p>')));
    const many = await galley(['many']);
    assert.deepEqual(
      [many.code, many.stderr],
      [2, 'many holds more than 1,000 emails, the most that one run checks; name a folder in it.\n'],
    );
  });

  it('checks those that git says changed, with what they show and how they were approved', async () => {
    const repo = 'git';
    const run = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: join(dir, repo),
        encoding: 'utf8',
      });
    for (const name of ['a', 'b', 'c', 'deep/d é'])
      await put(`${repo}/mails/${name}.html`, mail(`<p>Words of ${name}</p>`));
    await put(`${repo}/mails/c.html`, mail('<img src="../images/red%20rose.png" alt="A rose">'));
    await put(`${repo}/images/red rose.png`, 'one');
    await put(`${repo}/baseline/mails/b/gmail_chrome.png`, 'one');
    run('init', '-q', '-b', 'main');
    run('add', '.');
    run('commit', '-q', '-m', 'one');
    const changed = async (ref: string, ...more: string[]) => {
      const args = ['mails', '--checks', 'code', '--format', 'json', '--changed', ref, ...more];
      const { code, stdout, stderr } = await galley(args, { cwd: repo });
      if (stdout === '') return { code, stderr };
      return { code, emails: JSON.parse(stdout).emails.map(({ email }: any) => email), stderr };
    };
    assert.deepEqual(await changed('main'), { code: 0, emails: [], stderr: '0 of 4 emails changed since main.\n' });
    run('checkout', '-q', '-b', 'spring');
    await put(`${repo}/mails/deep/d é.html`, mail('<p>Other words</p>'));
    run('commit', '-q', '-a', '-m', 'two');
    await put(`${repo}/mails/e.html`, mail('<p>Not committed</p>'));
    const own = ['mails/e.html', 'mails/deep/d é.html'];
    assert.deepEqual((await changed('main')).emails, own);
    assert.deepEqual((await changed('HEAD')).emails, ['mails/e.html']);
    // What came to main meanwhile is not this branch's.
    run('checkout', '-q', 'main');
    await put(`${repo}/mails/a.html`, mail('<p>Words of main</p>'));
    run('commit', '-q', '-m', 'three', 'mails/a.html');
    run('checkout', '-q', 'spring');
    assert.deepEqual((await changed('main')).emails, own);
    await put(`${repo}/images/red rose.png`, 'another');
    await put(`${repo}/baseline/mails/b/gmail_chrome.png`, 'another');
    assert.deepEqual((await changed('main')).emails, ['mails/c.html', ...own]);
    assert.deepEqual((await changed('main', '--baseline', 'baseline')).emails, [
      'mails/b.html',
      'mails/c.html',
      ...own,
    ]);
    await put(`${repo}/.gitignore`, 'built\n');
    await put(`${repo}/built/f.html`, mail('<p>Compiled</p>'));
    assert.deepEqual((await changed('main', 'built')).emails, ['mails/c.html', ...own, 'built/f.html']);
    const elsewhere = await changed('main', '../in/b.html');
    assert.equal(elsewhere.code, 2);
    assert.match(elsewhere.stderr, /^--changed: git cannot look at every file: fatal: .* is outside repository/);
    await put(`${repo}/galley.policy.json`, '{"fail_on": "never"}');
    assert.equal((await changed('main')).emails.length, 5);
    assert.deepEqual(await changed('no-such-branch'), {
      code: 2,
      stderr: '--changed: git knows no commit "no-such-branch": fatal: Needed a single revision\n',
    });
    assert.equal((await changed('--all')).code, 2);
    const outside = await galley(['in', '--changed', 'main'], { env: { GIT_CEILING_DIRECTORIES: dir } });
    assert.equal(outside.code, 2);
    assert.match(outside.stderr, /^--changed: this folder is in no git repository: fatal: not a git repository/);
    const typed = await galley(['-', '--changed', 'main'], { cwd: repo, input: '<p>Hi</p>' });
    assert.deepEqual(
      [typed.code, typed.stderr],
      [2, '--changed asks git about files; it cannot tell whether - changed.\n'],
    );
  });

  it('reports on each as if it were alone, beside emails that a browser breaks over', async () => {
    await put(
      'poison/a.html',
      mail(`<script>document.cookie = 'a=1'; localStorage.a = 1; for (;;);</script>${poisonEmail('nested ruby')}`),
    );
    await put('poison/b.html', mail(poisonEmail('blur')));
    await put('poison/c.html', mail('<p style="color:#bbbbbb;background:#ffffff">Pale words</p>'));
    const check = async (source: string, ...more: string[]): Promise<any[]> => {
      const { stdout, stderr } = await galley(
        [
          '--checks',
          'accessibility,screenshots',
          '--clients',
          'applemail_26',
          '--format',
          'json',
          '--baseline',
          'approved',
          ...more,
          source,
        ],
        { env: { GALLEY_RENDER_SECONDS: '2' } },
      );
      assert.notEqual(stdout, '', stderr);
      return JSON.parse(stdout).emails.map(({ checks }: any) =>
        checks.map(({ status, findings }: any) => ({ status, findings })),
      );
    };
    await check('poison/c.html', '--approve');
    const alone = await check('poison/c.html');
    assert.ok(JSON.stringify(alone).includes('color-contrast'), JSON.stringify(alone));
    const beside = await check('poison');
    assert.match(JSON.stringify(beside.slice(0, 2)), /not ready after|that it may use|broke over/);
    assert.deepEqual(beside.slice(2), alone);
  });

  it('checks the same content once, and gives true times to JUnit', async () => {
    for (const name of ['one.html', 'two.html']) await put(`copies/${name}`, mail(linkTo('/slow')));
    const { stdout, stderr } = await galley(['copies', '--checks', 'code,links', '--format', 'junit']);
    const root = readXml(stdout);
    const times = new Map(root.children.map(({ attributes }) => [attributes['name'], Number(attributes['time'])]));
    const linksMs = times.get('copies/one.html – Links')! * 1000;
    assert.ok(linksMs >= ANSWER_MS - 20 && Number(root.attributes['time']) * 1000 >= linksMs, stdout);
    assert.ok(times.get('copies/one.html – Code')! > 0, stderr);
    for (const check of ['Code', 'Links'])
      assert.equal(times.get(`copies/one.html – ${check}`), times.get(`copies/two.html – ${check}`));
    // Rules are not timed one by one.
    assert.ok(
      root.children.every((suite) => suite.children.every(({ attributes }) => attributes['time'] === undefined)),
    );
    assert.equal(site.requests.filter((request) => request.endsWith('/slow')).length, 1);
  });
});

describe('Ctrl-C', () => {
  const cases: [command: string, args: string[], isUnderWay: (run: ReturnType<typeof start>) => boolean][] = [
    ['check', ['stopped'], ({ stderr }) => stderr().includes('[1/2]')],
    ['preview', ['stopped/held.html', '--clients', 'gmail_chrome'], () => true],
  ];
  for (const [command, args, isUnderWay] of cases) {
    it(`ends galley ${command} at once with 130, and leaves no browser`, async () => {
      await put(
        'stopped/held.html',
        mail(`${linkTo(`/held-${command}`)}<img src="${site.origin}/held-${command}.png" alt="Red">`),
      );
      await put('stopped/other.html', mail('<p>Words</p>'));
      const temporary = await mkdtemp(join(dir, 'temporary-'));
      const run = start(args, { TMPDIR: temporary }, command);
      const commands = (): string[] =>
        globSync('/proc/[0-9]*/cmdline').flatMap((path) => {
          try {
            return readFileSync(path, 'utf8').includes(temporary) ? [path] : [];
          } catch {
            return []; // it ended in the meantime
          }
        });
      await until(
        () =>
          isUnderWay(run) &&
          (command !== 'check' || commands().length > 0) &&
          site.requests.some((request) => request.includes(`/held-${command}`)),
        run,
      );
      run.child.kill('SIGINT');
      // What a terminal and npm do besides.
      run.child.kill('SIGINT');
      assert.deepEqual([await run.closed, run.stdout()], [[130, null], '']);
      // Killed processes take a moment to be gone.
      for (const deadline = Date.now() + 10_000; commands().length > 0 && Date.now() < deadline;)
        await new Promise((resolve) => setTimeout(resolve, 20));
      assert.deepEqual(commands(), []);
      assert.deepEqual(
        (await readdir(temporary)).filter((name) => name.startsWith('galley-')),
        [],
      );
      held.splice(0).forEach((response) => response.destroy());
    });
  }
});
