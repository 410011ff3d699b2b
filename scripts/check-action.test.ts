import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { sarifFaults } from '../test/harness/sarif-schema.ts';

const ROOT = join(import.meta.dirname, '..');
const MAIL =
  '<!doctype html>\n<html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" ' +
  'content="width=device-width"><title>Spring</title></head>\n<body><div lang="en" dir="ltr"><h1>Spring</h1><p>Words' +
  '</p></div></body></html>\n';

let dir: string;
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'galley-action-'));
  mkdirSync(join(dir, 'mails/with space'), { recursive: true });
  writeFileSync(join(dir, 'mails/a.html'), MAIL);
  writeFileSync(join(dir, 'mails/with space/b.html'), MAIL);
});
after(() => rmSync(dir, { recursive: true, force: true }));

/** The step as the runner starts it. */
function step(inputs: Record<string, string>): {
  code: number | null;
  outputs: string;
  stderr: string;
  stdout: string;
} {
  const outputs = join(dir, 'outputs');
  writeFileSync(outputs, '');
  const env = {
    PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
    HOME: process.env['HOME'],
    GALLEY_OPTIONAL_ENGINES: 'off',
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_OUTPUT: outputs,
    RUNNER_TEMP: dir,
    ...inputs,
  };
  const { status, stdout, stderr } = spawnSync('bash', [join(ROOT, 'scripts/check-action.sh')], {
    cwd: dir,
    env,
    encoding: 'utf8',
  });
  return { code: status, outputs: readFileSync(outputs, 'utf8'), stdout, stderr };
}

/** As GitHub's API answers about the comments of pull request 7: `comments` is what is there. */
async function startApi(comments: { id: number; user: { login: string }; body: string }[], refused = false) {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      const { method, url = '', headers } = request;
      calls.push(`${method} ${url}`);
      const answer = (status: number, body: unknown): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (headers.authorization !== 'Bearer token-of-the-job' || refused)
        return answer(403, { message: 'Resource not accessible by integration' });
      const path = '/repos/acme/mails/issues';
      const page = new URL(url, 'http://api').searchParams.get('page');
      if (method === 'GET' && url.startsWith(`${path}/7/comments?`))
        return answer(200, comments.slice((Number(page) - 1) * 100, Number(page) * 100));
      if (method === 'POST' && url === `${path}/7/comments`) {
        comments.push({
          id: 900 + comments.length,
          user: { login: 'github-actions[bot]' },
          body: JSON.parse(text).body,
        });
        return answer(201, comments.at(-1));
      }
      const own = comments.find(({ id }) => method === 'PATCH' && url === `${path}/comments/${id}`);
      if (!own) return answer(404, { message: 'Not Found' });
      own.body = JSON.parse(text).body;
      return answer(200, own);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { calls, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

describe('the comment on the pull request', () => {
  const MARK = '<!-- galley check -->';
  /** The step as the runner starts it; answers what it prints. */
  async function comment(
    apiUrl: string,
    { event = { pull_request: { number: 7 } } as object, text = '## one', pictures = '' } = {},
  ) {
    const [report, eventPath] = [join(dir, 'report.md'), join(dir, 'event.json')];
    writeFileSync(report, text);
    writeFileSync(eventPath, JSON.stringify(event));
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(ROOT, 'scripts/comment-action.mjs'), report],
      {
        env: {
          GITHUB_API_URL: apiUrl,
          GITHUB_REPOSITORY: 'acme/mails',
          GITHUB_EVENT_PATH: eventPath,
          INPUT_TOKEN: 'token-of-the-job',
          PICTURES_URL: pictures,
        },
      },
    );
    return stdout + stderr;
  }

  it('is one, which every run writes anew; those of others stay', async () => {
    const others = Array.from({ length: 100 }, (_, id) => ({ id, user: { login: 'ann' }, body: `${MARK}\n${id}` }));
    const comments = [...others];
    const api = await startApi(comments);
    try {
      assert.equal(await comment(api.url), '');
      assert.equal(await comment(api.url, { text: '## two\n', pictures: 'https://github.test/artifacts/5' }), '');
      assert.deepEqual(comments.slice(100), [
        {
          id: 1000,
          user: { login: 'github-actions[bot]' },
          body:
            `${MARK}\n## two\n\n[Pictures that differ](https://github.test/artifacts/5) are kept with the run, each with what ` +
            'is different. Where they are as they should be, `galley check` with `--approve` writes them into the folder ' +
            'of approved pictures, to be committed.\n',
        },
      ]);
      assert.deepEqual(comments.slice(0, 100), others);
      const path = '/repos/acme/mails/issues';
      assert.deepEqual(api.calls, [
        `GET ${path}/7/comments?per_page=100&page=1`,
        `GET ${path}/7/comments?per_page=100&page=2`,
        `POST ${path}/7/comments`,
        `GET ${path}/7/comments?per_page=100&page=1`,
        `GET ${path}/7/comments?per_page=100&page=2`,
        `PATCH ${path}/comments/1000`,
      ]);
    } finally {
      api.close();
    }
  });

  it('is a warning where it cannot be written, and nothing where there is no pull request', async () => {
    const api = await startApi([], true);
    try {
      assert.equal(
        await comment(api.url),
        '::warning title=Galley could not comment::GET issues/7/comments?per_page=100&page=1 was answered 403: ' +
          '{"message":"Resource not accessible by integration"} The job needs the permission pull-requests: write.\n',
      );
      assert.equal(
        await comment(api.url, { event: { ref: 'refs/heads/main' } }),
        'This run belongs to no pull request: there is nothing to comment on.\n',
      );
      assert.equal(api.calls.length, 1);
    } finally {
      api.close();
    }
  });
});

describe('the step of the action', () => {
  it('checks what its patterns match, and names its verdict and report', () => {
    const summary = join(dir, 'summary.md');
    writeFileSync(summary, 'Before.\n');
    const { code, outputs, stderr } = step({
      INPUT_PATH: '\n  mails/**/*.html  \n',
      INPUT_FORMAT: 'sarif',
      GITHUB_STEP_SUMMARY: summary,
    });
    const markdown = join(dir, 'galley-report.md');
    assert.deepEqual([code, outputs], [0, `verdict=pass\nreport=galley.sarif\nmarkdown=${markdown}\n`], stderr);
    assert.match(readFileSync(summary, 'utf8'), /^Before\.\n## Galley: 2 emails checked, none fails\n/);
    const log = JSON.parse(readFileSync(join(dir, 'galley.sarif'), 'utf8'));
    assert.deepEqual(sarifFaults(log), []);
    assert.deepEqual(
      log.runs[0].artifacts.map(({ location }: any) => location.uri),
      ['mails/a.html', 'mails/with%20space/b.html'],
    );
  });

  it('makes no email from a source unless it is told to: that runs code of the pull request', () => {
    const template = '<html lang="en" dir="ltr"><body>{{> foot}}</body></html>';
    mkdirSync(join(dir, 'made'));
    writeFileSync(join(dir, 'made/mail.hbs'), template);
    writeFileSync(join(dir, 'made/foot.hbs'), '<p>Foot</p>');
    const asked = { INPUT_PATH: 'made', INPUT_FORMAT: 'json' };
    const { code, stderr } = step(asked);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^made holds no email: no file in it ends in \.html, \.htm, \.eml, and sources are left out \(--no-sources\)\./,
    );
    const named = step({ ...asked, INPUT_PATH: 'made/mail.hbs' });
    assert.match(
      named.stderr,
      /^made\/mail\.hbs is a source, and --no-sources was given: name the HTML that it makes\.\n$/,
    );
    const { stdout } = step({ ...asked, INPUT_SOURCES: 'true' });
    assert.deepEqual(
      JSON.parse(stdout).emails.map(({ email }: any) => email),
      ['made/mail.hbs'],
    );
  });

  it('never reads an input as a command or an option', () => {
    assert.deepEqual(step({ INPUT_PATH: '--help' }), {
      code: 2,
      outputs: '',
      stdout: '',
      stderr: 'path: --help would be an option; write ./--help\n',
    });
    const { code, outputs, stderr } = step({ INPUT_PATH: '$(touch owned); `touch owned` "' });
    assert.deepEqual([code, outputs], [2, 'verdict=error\n']);
    assert.match(stderr, /^\$\(touch owned\); `touch owned` " cannot be read: ENOENT/);
    assert.throws(() => readFileSync(join(dir, 'owned')), /ENOENT/);
    assert.equal(step({ INPUT_PATH: '' }).code, 2);
  });
});
