// `galley users`, on the database of a Galley that does not run: the first user of a deployment.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FREE_PORTS, startProgram } from '../../../test/harness/program.ts';
import { createLog } from '../../platform/log/index.ts';
import { readConfig } from '../../platform/config/index.ts';
import { startGalley } from '../serve.ts';

const ROOT = join(import.meta.dirname, '../../..');
const KEY = 'key-of-a-deployment-without-users';
const PASSWORD = 'seven purple umbrellas';

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
    config: readConfig({ ...env, GALLEY_OPTIONAL_ENGINES: 'off' }),
    log: createLog('silent'),
  });
  try {
    return await work(started.url);
  } finally {
    await started.close();
  }
}

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

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
});
