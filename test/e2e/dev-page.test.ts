// `galley dev` in a browser: the emails of a project that React Email's starter makes, drawn and checked at every save.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startProgram, type Program } from '../harness/program.ts';
import { assertFlawless, openBrowser, openTab, sees } from './chromium.ts';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = join(ROOT, '.runtime/test-packages-sources/node_modules');
const missing = existsSync(PACKAGES) ? false : 'the packages of test/sources are not installed';
const WELCOME = 'starter/emails/stripe-welcome.tsx';

let dir: string;
let program: Program;
let url: string;
let browser: Browser;
let page: Page;
let complaints: string[];

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-dev-page-'));
  await cp(join(ROOT, 'test/fixtures/react-email-starter'), join(dir, 'starter'), { recursive: true });
  if (!missing) await symlink(PACKAGES, join(dir, 'starter/node_modules'));
  await writeFile(
    join(dir, 'plain.html'),
    '<!doctype html><html lang="en"><head><title>Roses</title></head><body>\n<p>Roses</p>\n<a href="#">Leave</a>\n</body></html>\n',
  );
  program = startProgram([process.execPath, join(ROOT, 'bin/galley.mjs'), 'dev', '--port', '0'], {
    cwd: dir,
    env: { GALLEY_OPTIONAL_ENGINES: 'off', GALLEY_BROWSERS: '2' },
  });
  url = await program.says(/(http:\/\/127\.0\.0\.1:\d+)/);
  browser = await openBrowser();
  ({ page, complaints } = await openTab(browser));
});
after(async () => {
  await browser?.close();
  await program?.end();
  await rm(dir, { recursive: true, force: true });
});

const open = (name: string): Promise<unknown> => page.goto(`${url}/#${encodeURIComponent(name)}`);
const state = async (name: string, at = url): Promise<any> =>
  (await fetch(`${at}/email?name=${encodeURIComponent(name)}`)).json();

/** Until the email is drawn and checked. */
async function done(name: string): Promise<any> {
  for (;;) {
    const found = await state(name);
    if (found.state === 'done' || found.state === 'failed') return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('galley dev', { timeout: 900_000 }, () => {
  it('shows the first email of the folder, in clients, with its findings', async () => {
    await page.goto(url);
    await page.waitForFunction('document.querySelectorAll("figure img").length === 9');
    await sees(page, 'Roses');
    await sees(page, 'links/target · line 3');
    await assertFlawless(page, 'dev');
  });

  it('draws and checks it again when it is saved, and shows what somebody takes back at once', async () => {
    const before = await readFile(join(dir, 'plain.html'), 'utf8');
    const [first] = (await done('plain.html')).pictures;
    await writeFile(join(dir, 'plain.html'), before.replace('<p>Roses', '\n<p>Tulips'));
    await sees(page, 'links/target · line 4');
    const after = await done('plain.html');
    assert.notEqual(after.pictures[0].url, first.url);
    await writeFile(join(dir, 'plain.html'), before);
    await sees(page, 'links/target · line 3');
    assert.equal((await done('plain.html')).pictures[0].url, first.url);
  });

  it('draws it again when a picture in its folder changes, and keeps the list while a file is empty', async () => {
    const mail = await readFile(join(dir, 'plain.html'), 'utf8');
    const picture = (width: number): string =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20"><rect width="100%" height="20"/></svg>`;
    // What cannot be a file is no reason to stop watching.
    const images = ['rose.svg', 'plain.html/x.png', '%00.png', '%ff.png', `${'a'.repeat(300)}/x.png`].map(
      (src) => `<img src="${src}" alt="">`,
    );
    await writeFile(join(dir, 'rose.svg'), picture(40));
    await writeFile(join(dir, 'plain.html'), mail.replace('</p>', `${images.join('')}</p>`));
    const drawn = async (): Promise<string> => (await done('plain.html')).pictures[0].url;
    const without = await drawn();
    const changed = async (from: string): Promise<string> => {
      for (let now = await drawn(); ; now = await drawn()) if (now !== from) return now;
    };
    const first = await changed(without);
    await writeFile(join(dir, 'rose.svg'), picture(80));
    await changed(first);
    await writeFile(join(dir, 'empty.html'), '');
    await sees(page, 'empty.html');
    await sees(page, 'plain.html');
    await rm(join(dir, 'empty.html'));
    await writeFile(join(dir, 'plain.html'), mail);
    await sees(page, 'links/target · line 3');
  });

  it('judges by the policy of its folder, and says what is wrong with it', async () => {
    await open('plain.html');
    const policy = join(dir, 'galley.policy.json');
    await sees(page, 'Findings: 3 that fail');
    await writeFile(policy, '{"fail_on":"none"');
    await sees(page, 'The policy galley.policy.json is not valid JSON');
    await writeFile(policy, JSON.stringify({ ignore: [{ rule: 'links/target', reason: 'It is an example.' }] }));
    await sees(page, 'Findings: 2 that fail');
    await rm(policy);
    await sees(page, 'Findings: 3 that fail');
  });

  it('says what keeps it from being made, and leaves the pictures', async () => {
    const name = 'mail.hbs';
    await writeFile(join(dir, name), '<html lang="en"><body><p>{{name}}</p></body></html>');
    await open(name);
    await page.waitForFunction('document.querySelectorAll("figure img").length === 9');
    await writeFile(join(dir, name), '<html lang="en"><body><p>{{#if}}</p></body></html>');
    await page.waitForSelector('#error:not([hidden])');
    await sees(page, 'mail.hbs: ');
    await sees(page, 'The pictures are those from before.');
    await assertFlawless(page, 'dev-error');
    await writeFile(join(dir, name), '<html lang="en"><body><p>Hello {{name}}</p></body></html>');
    await page.waitForSelector('#error[hidden]');
    await writeFile(join(dir, 'mail.data.json'), '{"name":"Ann"}');
    await writeFile(join(dir, name), '<html lang="en"><body><p>Dear {{name}}</p></body></html>');
    await done(name);
    const html = await (await fetch(`${url}/message/${name}/`)).text();
    assert.match(html, /Dear Ann/);
  });

  it('shows components of React Email, and follows their parts', { skip: missing }, async () => {
    await open(WELCOME);
    await page.waitForFunction('document.querySelectorAll("figure img").length === 9');
    await sees(page, "You're now ready to make live transactions with Stripe!");
    await done(WELCOME);
    await assertFlawless(page, 'dev-component');
    const path = join(dir, WELCOME);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('Thanks for submitting', 'Many thanks for submitting'));
    await new Promise((resolve) => setTimeout(resolve, 400));
    const { firstMs, madeMs, error } = await done(WELCOME);
    assert.equal(error, null);
    assert.ok(firstMs >= madeMs && madeMs > 0, `${madeMs} and ${firstMs} ms`);
  });

  it('follows parts outside of what it was given, even those that were never right', { skip: missing }, async () => {
    const name = 'apart/outside.tsx';
    const [part, email] = [join(dir, 'starter/components/foot.tsx'), join(dir, 'starter', name)];
    const foot = (text: string): string => `export const Foot = () => <p>${text}</p>;\n`;
    await mkdir(dirname(part));
    await writeFile(part, '<p>{');
    await mkdir(dirname(email));
    await writeFile(
      email,
      "import { Body, Html } from 'react-email';\nimport { Foot } from '../components/foot.tsx';\n" +
        'export default () => <Html lang="en"><Body><Foot /></Body></Html>;\n',
    );
    const named = 'single/mail.hbs';
    await mkdir(join(dir, 'starter/single'));
    await writeFile(join(dir, 'starter', named), '<html lang="en"><body>{{> part}}</body></html>');
    await writeFile(join(dir, 'starter/single/part.hbs'), '<p>{{#if}}</p>');
    const command = [process.execPath, join(ROOT, 'bin/galley.mjs'), 'dev', 'apart', named, '--port', '0'];
    const other = startProgram(command, {
      cwd: join(dir, 'starter'),
      env: { GALLEY_OPTIONAL_ENGINES: 'off', GALLEY_BROWSERS: '1' },
    });
    try {
      const at = await other.says(/(http:\/\/127\.0\.0\.1:\d+)/);
      const until = async (isThere: () => Promise<boolean>): Promise<void> => {
        while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 50));
      };
      const shows = async (text: string, of = name): Promise<boolean> => {
        await state(of, at);
        return (await (await fetch(`${at}/message/${encodeURIComponent(of)}/`)).text()).includes(text);
      };
      await until(async () => (await state(name, at)).error?.includes('components/foot.tsx:1:'));
      await writeFile(part, foot('Old foot'));
      await until(() => shows('Old foot'));
      await writeFile(part, foot('New foot'));
      await until(() => shows('New foot'));
      await until(async () => (await state(named, at)).error?.includes('mail.hbs'));
      await writeFile(join(dir, 'starter/single/part.hbs'), '<p>A part</p>');
      await until(() => shows('A part', named));
    } finally {
      await other.end();
    }
  });

  it('answers no page of the web, and reads no file beside its emails', async () => {
    const asked = async (path: string, host?: string): Promise<number> => {
      const { hostname, port } = new URL(url);
      const { request } = await import('node:http');
      return new Promise((resolve, reject) => {
        request({ hostname, port, path, ...(host && { headers: { host } }) }, (response) => {
          response.resume();
          resolve(response.statusCode!);
        })
          .on('error', reject)
          .end();
      });
    };
    assert.equal(await asked('/emails'), 200);
    assert.equal(await asked('/emails', 'mail.example.com'), 403);
    assert.equal(await asked('/picture/000000000000000000000000/..%2f..%2fetc%2fpasswd'), 404);
    assert.equal(await asked('/message/plain.html/..%2f..%2f..%2fetc%2fpasswd'), 404);
    assert.equal(await asked('/message/none.html/'), 404);
    assert.equal(await asked('/message/%ff/'), 400);
    const { headers } = await fetch(`${url}/message/plain.html/`);
    assert.match(headers.get('content-security-policy')!, /^sandbox; default-src 'none';/);
  });

  it('throws and logs no errors on the way', () => assert.deepEqual(complaints, []));

  it('ends on Ctrl-C, with all that it started', async () => {
    program.child.kill('SIGINT');
    assert.equal((await program.ended).code, 130);
  });
});
