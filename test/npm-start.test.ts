// The real `npm start`, ended in every way that supervisors, terminals and people end it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findProgram } from './harness/daemon.ts';
import { FREE_PORTS, startProgram, type Program } from './harness/program.ts';
import { freshDatabase } from './harness/template-database.ts';

const ROOT = join(import.meta.dirname, '..');

describe('npm start', { skip: process.platform === 'win32' && 'Windows has no such signals' }, () => {
  let dir: string;
  let env: Record<string, string>;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  const programs: Program[] = [];
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'galley-npm-'));
    database = await freshDatabase(dir);
    env = {
      GALLEY_DATA_DIR: dir,
      ...FREE_PORTS,
      GALLEY_LOG_LEVEL: 'warn',
      GALLEY_ROLES: 'api',
      GALLEY_BROWSERS: '1',
      GALLEY_OPTIONAL_ENGINES: 'off',
      ...database.env,
    };
  });
  after(async () => {
    for (const program of programs) await program.end();
    await database.remove();
    await rm(dir, { recursive: true, force: true });
  });
  const start = async (command: readonly string[]): Promise<Program & { url: string }> => {
    const program = startProgram(command, { env, cwd: ROOT });
    programs.push(program);
    return { ...program, url: await program.says(/ {2}API +(http:\/\/[\d.:]+)/) };
  };
  const answers = (url: string): Promise<boolean> =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`passes ${signal} on to the server, which drains and exits 0, and npm with it`, async () => {
      const npm = await start(['npm', 'start']);
      assert.equal(await answers(npm.url), true);
      process.kill(npm.child.pid!, signal);
      assert.deepEqual(await npm.ended, { code: 0, signal: null }, npm.stderr());
      assert.match(npm.stdout(), /\nStopping: finishing what is under way …\n$/);
      assert.equal(await answers(npm.url), false);
    });
  }

  for (const signal of ['SIGHUP', 'SIGKILL'] as const) {
    it(`leaves no server behind when ${signal} ends npm alone`, async () => {
      const npm = await start(['npm', 'start']);
      process.kill(npm.child.pid!, signal);
      // Its output ends with the last process that holds it.
      assert.deepEqual(await npm.ended, { code: null, signal });
      assert.match(npm.stdout(), /\nStopping: finishing what is under way …\n$/);
      assert.equal(await answers(npm.url), false);
    });
  }

  it('drains once when a terminal closes, which tells everybody at once', async () => {
    const npm = await start(['npm', 'start']);
    process.kill(-npm.child.pid!, 'SIGHUP');
    await npm.ended;
    assert.match(npm.stdout(), /\nStopping: finishing what is under way …\n$/);
    assert.equal(await answers(npm.url), false);
  });

  it('passes SIGTERM on as the first process of a container', async (t) => {
    if (findProgram('unshare') === undefined || spawnSync('unshare', ['-rpf', '--kill-child', 'true']).status !== 0)
      return t.skip('no process namespaces here');
    const npm = await start(['unshare', '-rpf', '--mount-proc', '--kill-child', 'npm', 'start']);
    assert.equal(await answers(npm.url), true);
    const [first] = readFileSync(`/proc/${npm.child.pid}/task/${npm.child.pid}/children`, 'utf8').split(' ');
    process.kill(Number(first), 'SIGTERM');
    assert.equal((await npm.ended).code, 0, npm.stderr());
    assert.match(npm.stdout(), /\nStopping: finishing what is under way …\n$/);
  });
});
