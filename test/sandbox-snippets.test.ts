// The settings that the page of an inbox shows for programs: those whose program is on this machine are used as they
// are shown, the others are read for what they must name.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import nodemailer, { type Transporter } from 'nodemailer';
import { SNIPPETS } from '../web/src/areas/send/sandbox-inboxes/snippets.ts';
import { startApp, type App } from './harness/start-app.ts';

let app: App;
let place: { host: string; port: number; user: string; password: string };
const folder = mkdtempSync(join(tmpdir(), 'galley-snippets-'));

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,mail' });
  const line = app.galley.about.find((text) => text.startsWith('submission: ')) ?? '';
  const [, port] = /smtp:\/\/[^,]*?:(\d+)/.exec(line) ?? [];
  const { status, body } = await app.call('POST /v1/sandbox', { body: { name: 'shop' } });
  assert.equal(status, 201);
  place = { host: '127.0.0.1', port: Number(port), user: body.smtp_user, password: body.smtp_password };
});
after(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

function codeOf(name: string): string {
  const snippet = SNIPPETS.find((one) => one.name === name);
  assert.ok(snippet, name);
  return snippet.code(place);
}

/** Whether a program is there, and starts with what the snippet needs of it. */
const isThere = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore', timeout: 60_000 }).status === 0;

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => void (said += part.toString()));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  assert.equal(code, 0, said);
}

/** That one message has come since, from and to whom the snippet says, or the test. */
async function hasCome(number: number): Promise<void> {
  const { items } = (await app.call('GET /v1/sandbox/shop/messages')).body;
  assert.equal(items[0].number, number);
  assert.deepEqual([items[0].mail_from, items[0].recipients], ['app@shop.example', ['ann@example.com']]);
}

describe('the settings for programs', () => {
  let count = 0;

  for (const { name, code } of SNIPPETS)
    it(`name the host, the port and the login: ${name}`, () => {
      const text = code({ host: 'mail.shop.example', port: 2525, user: 'sandbox-17', password: 'word-of-passing' });
      for (const part of ['mail.shop.example', '2525', 'sandbox-17', 'word-of-passing'])
        assert.equal(text.split(part).length > 1, true, `${part} is not in:\n${text}`);
    });

  it('are ten or more, each of a name of its own', () => {
    const names = SNIPPETS.map(({ name }) => name);
    assert.ok(names.length >= 10);
    assert.equal(new Set(names).size, names.length);
  });

  it('send with Nodemailer', async () => {
    const make = new Function('nodemailer', `${codeOf('Nodemailer')}\nreturn transport;`) as (
      library: typeof nodemailer,
    ) => Transporter;
    const transport = make(nodemailer);
    await transport.sendMail({ from: 'app@shop.example', to: 'ann@example.com', subject: 'Hello', text: 'Hello Ann' });
    transport.close();
    await hasCome((count += 1));
  });

  it('send with curl', async (test) => {
    if (!isThere('curl', '--version')) return test.skip('curl is not installed');
    const message = 'From: app@shop.example\r\nTo: ann@example.com\r\nSubject: Hello\r\n\r\nHello Ann\r\n';
    writeFileSync(join(folder, 'message.eml'), message);
    await run('sh', ['-c', codeOf('curl')]);
    return hasCome((count += 1));
  });

  it('send with swaks', async (test) => {
    if (!isThere('swaks', '--version')) return test.skip('swaks is not installed');
    if (!isThere('perl', '-MNet::SSLeay', '-e', '1')) return test.skip('swaks has no TLS here');
    await run('sh', ['-c', codeOf('swaks')]);
    return hasCome((count += 1));
  });

  it('send with Python', async (test) => {
    if (!isThere('python3', '--version')) return test.skip('Python is not installed');
    const head = [
      'import smtplib, ssl',
      'from email.message import EmailMessage',
      'message = EmailMessage()',
      'message["From"], message["To"], message["Subject"] = "app@shop.example", "ann@example.com", "Hello"',
      'message.set_content("Hello Ann")',
    ];
    writeFileSync(join(folder, 'hello.py'), `${head.join('\n')}\n${codeOf('Python')}\n`);
    await run('python3', ['hello.py']);
    return hasCome((count += 1));
  });
});
