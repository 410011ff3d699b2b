// Sending by SMTP with a program that is not ours, and what a kill −9 right after the 250 leaves.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  DOMAIN,
  lastMessage,
  LOGIN,
  mimeOf,
  startBed,
  type Bed,
} from '../../src/features/send/submission/submission.fixture.ts';
import { call, KEY, kill, start } from '../harness/crash.ts';
import { freePorts } from '../harness/daemon.ts';
import { connectSmtp } from '../harness/smtp-client.ts';
import { freshDatabase } from '../harness/template-database.ts';

function isInstalled(): boolean {
  try {
    execFileSync('swaks', ['--version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

// The wide suite installs it, and fails without.
const absence = isInstalled() || process.env['CI'] ? undefined : 'swaks is not installed';

function swaks(...args: string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile('swaks', args, { timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, said: stdout + stderr }),
    );
  });
}

describe('swaks', { skip: absence }, () => {
  let bed: Bed;
  let common: string[];
  before(async () => {
    bed = await startBed();
    common = ['--server', '127.0.0.1', '--from', `ann@${DOMAIN}`, '--to', 'bob@example.net', '--auth-user', LOGIN.user];
  });
  after(() => bed?.close());

  for (const [way, args] of [
    ['STARTTLS and AUTH PLAIN', () => ['--port', String(bed.port), '--tls', '--auth', 'PLAIN']],
    ['STARTTLS and AUTH LOGIN', () => ['--port', String(bed.port), '--tls', '--auth', 'LOGIN']],
    ['TLS from the first byte, pipelined', () => ['--port', String(bed.tlsPort), '--tls-on-connect', '--pipeline']],
  ] as const)
    it(`sends over ${way}`, async () => {
      const header = ['--header', `Subject: ${way}`, '--add-header', 'X-Mailgun-Tag: swaks'];
      const { code, said } = await swaks(...common, ...args(), '--auth-password', LOGIN.pass, ...header);
      assert.equal(code, 0, said);
      assert.match(said, /250 2\.0\.0 Queued as <.+>/);
      const { key, subject, tags, method } = await lastMessage(bed);
      assert.deepEqual([subject, tags, method], [way, ['swaks'], 'SMTP']);
      assert.match(await mimeOf(bed, key), /This is a test mailing/);
    });

  it('is told that the password is wrong', async () => {
    const { code, said } = await swaks(
      ...common,
      '--port',
      String(bed.port),
      '--tls',
      '--auth-password',
      'wrong horse',
    );
    // 28: the server did not accept the login.
    assert.equal(code, 28, said);
    assert.match(said, /535 5\.7\.8 The login or the password is wrong/);
  });
});

describe('kill −9 right after the 250', () => {
  it('loses no message', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-crash-'));
    const database = await freshDatabase(dataDir);
    const [port = 0] = await freePorts(1);
    const env = {
      GALLEY_PORT: '0',
      GALLEY_SMTP_PORT: '0',
      GALLEY_SUBMISSION_PORT: String(port),
      GALLEY_SUBMISSION_TLS_PORT: 'off',
      GALLEY_ROLES: 'api,mail',
      GALLEY_DATA_DIR: dataDir,
      GALLEY_API_KEY: KEY,
      GALLEY_OPTIONAL_ENGINES: 'off',
      GALLEY_LOG_LEVEL: 'silent',
      ...database.env,
    };
    const accepted: string[] = [];
    let running = await start(env);
    try {
      await call(running.url, 'POST', '/v4/domains', { name: DOMAIN });
      const credential = { login: LOGIN.user, password: LOGIN.pass };
      await call(running.url, 'POST', `/v3/domains/${DOMAIN}/credentials`, credential);
      for (let round = 0; round < 2; round += 1) {
        const client = await connectSmtp(port);
        await client.say('EHLO client.test');
        const token = Buffer.from(`\0${LOGIN.user}\0${LOGIN.pass}`).toString('base64');
        assert.match(await client.say(`AUTH PLAIN ${token}`), /^235 /);
        for (let place = 0; place < 5; place += 1) {
          await client.say(`MAIL FROM:<ann@${DOMAIN}>`);
          await client.say(`RCPT TO:<r${round}.${place}@example.net>`);
          await client.say('DATA');
          const reply = await client.say(`From: ann@${DOMAIN}\r\nSubject: x\r\n\r\nHello\r\n.`);
          accepted.push(/Queued as <(.+)>$/.exec(reply)?.[1] ?? reply);
        }
        await kill(running);
        client.close();
        running = await start(env);
      }
      const { regular } = await call(running.url, 'GET', `/v3/domains/${DOMAIN}/sending_queues`);
      assert.equal(regular.waiting, accepted.length);
      assert.equal(new Set(accepted).size, 10);
      // Nothing younger than two seconds is shown.
      await new Promise((resolve) => setTimeout(resolve, 2500));
      const { items } = await call(running.url, 'GET', `/v3/${DOMAIN}/events?event=accepted&limit=100`);
      const ids = items.map((item: any) => item.message.headers['message-id']);
      assert.deepEqual(ids.toSorted(), accepted.toSorted());
    } finally {
      running.child.kill('SIGKILL');
      await database.remove();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
