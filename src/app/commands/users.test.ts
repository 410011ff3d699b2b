// `galley users`, on the database of a Galley that does not run: the first user of a deployment.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { shownAt } from '../../../test/harness/authenticator.ts';
import { FREE_PORTS, startProgram } from '../../../test/harness/program.ts';
import { Device } from '../../features/account/passkeys/device.fixture.ts';
import { createLog } from '../../platform/log/index.ts';
import { readConfig } from '../../platform/config/index.ts';
import { startGalley } from '../serve.ts';

const ROOT = join(import.meta.dirname, '../../..');
const KEY = 'key-of-a-deployment-without-users';
const PASSWORD = 'seven purple umbrellas';
const DASHBOARD = 'https://galley.example.com';

let dir: string;
let env: Record<string, string>;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-users-'));
  env = { ...FREE_PORTS, GALLEY_DATA_DIR: dir, GALLEY_API_KEY: KEY, GALLEY_ROLES: 'api', GALLEY_BROWSERS: '1' };
});
after(() => rm(dir, { recursive: true, force: true }));

async function galley(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = startProgram([process.execPath, join(ROOT, 'bin/galley.mjs'), ...args], { env });
  const { code } = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

/** Runs it meanwhile. */
async function running<T>(work: (url: string) => Promise<T>): Promise<T> {
  const started = await startGalley({
    config: readConfig({ ...env, GALLEY_PUBLIC_URL: DASHBOARD, GALLEY_OPTIONAL_ENGINES: 'off' }),
    log: createLog('silent'),
  });
  try {
    return await work(started.url);
  } finally {
    await started.close();
  }
}

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const cookieOf = ({ headers }: Response): string => (headers.get('set-cookie') ?? '').split(';', 1)[0] as string;

async function signInWith(url: string, device: Device): Promise<Response> {
  const { options } = (await (await post(`${url}/v1/session/passkey/challenge`, {})).json()) as any;
  return post(`${url}/v1/session/passkey`, { credential: device.answer(options) });
}

describe('galley users', () => {
  it('makes a user who signs in, again where the first link was lost', async () => {
    const early = await galley('users', 'invite', 'ann@example.com');
    assert.deepEqual([early.code, early.stderr], [2, 'No account exists yet. Start Galley once to create it.\n']);
    await running(async () => undefined);
    const first = await galley('users', 'invite', 'Ann@example.com', '--name', 'Ann');
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^http:\/\/localhost:\d+\/welcome#[\w-]{43}\n$/);
    assert.match(first.stderr, /^ann@example\.com \(admin\) is invited\. The link works once, until \d{4}-/);
    const second = await galley('users', 'invite', 'ann@example.com');
    assert.notEqual(second.stdout, first.stdout);
    assert.match(
      (await galley('users', 'list')).stdout,
      /^[0-9a-f]{24} {2}admin {6}invited {3}ann@example\.com {2}Ann\n$/,
    );
    await running(async (url) => {
      const token = second.stdout.trim().split('#')[1];
      assert.equal((await post(`${url}/v5/users/links/use`, { token, password: PASSWORD })).status, 200);
      const answer = await post(`${url}/v1/session/password`, { email: 'ann@example.com', password: PASSWORD });
      assert.equal(answer.status, 200);
    });
    const taken = await galley('users', 'invite', 'ann@example.com');
    assert.deepEqual([taken.code, taken.stderr], [1, 'email: ann@example.com belongs to a user already.\n']);
  });

  it('resets who lost the device: no code is asked for, no passkey is left, every session ends', async () => {
    const email = 'ann@example.com';
    const early = await running(async (url) => {
      const device = new Device(DASHBOARD);
      const cookie = cookieOf(await post(`${url}/v1/session/password`, { email, password: PASSWORD }));
      const as = async (path: string, body: object): Promise<any> => {
        const answer = await post(`${url}/v5/users/me/${path}`, body, { cookie, origin: url });
        assert.equal(answer.status, 200, await answer.clone().text());
        return answer.json();
      };
      const { options } = await as('passkeys/challenge', { current_password: PASSWORD });
      await as('passkeys', { name: 'Phone', credential: device.make(options) });
      const { secret } = await as('second-factor', { current_password: PASSWORD });
      await as('second-factor/confirmation', { code: shownAt(secret, new Date()) });
      assert.equal((await signInWith(url, device)).status, 200);
      const half = (await (await post(`${url}/v1/session/password`, { email, password: PASSWORD })).json()) as any;
      assert.equal(half.signed_in, false);
      return { cookie, device };
    });
    const words = 'ann@example.com: The second factor is off, one passkey is deleted, and every session is ended. ';
    const done = await galley('users', 'reset', 'Ann@example.com');
    assert.deepEqual([done.code, done.stdout, done.stderr], [0, `${words}The password is as it was.\n`, '']);
    const { stdout } = await galley('users', 'reset', email);
    assert.match(stdout, /^ann@example\.com: There was no second factor, no passkeys are deleted, and every session/);
    await running(async (url) => {
      assert.equal((await signInWith(url, early.device)).status, 401);
      assert.equal((await fetch(`${url}/v1/session`, { headers: { cookie: early.cookie } })).status, 401);
      const answer = await post(`${url}/v1/session/password`, { email, password: PASSWORD });
      assert.deepEqual(await answer.json(), { signed_in: true });
      const headers = { authorization: `Basic ${btoa(`api:${KEY}`)}` };
      const audit = await fetch(`${url}/v1/audit?operation=user.sign_in_reset`, { headers });
      const { items } = (await audit.json()) as any;
      assert.equal(items.length, 2);
      const [{ actor, resource, result }] = items;
      assert.deepEqual(
        [actor.type, actor.name, resource.email, result],
        ['operator', 'the operator', email, 'success'],
      );
    });
  });

  it('changes nothing for an address that is nobody’s', async () => {
    const { code, stdout, stderr } = await galley('users', 'reset', 'nobody@example.com');
    assert.deepEqual([code, stdout, stderr], [1, '', 'There is no user with the address nobody@example.com.\n']);
  });
});
