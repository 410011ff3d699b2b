// `galley emails`, against a Galley that runs.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startProgram } from '../../../test/harness/program.ts';
import { startApp, type App } from '../../../test/harness/start-app.ts';

const MAIN = join(import.meta.dirname, '../../main.ts');

let app: App;
let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-emails-'));
  await writeFile(join(dir, 'may.html'), '<p>Roses <img src="a.png"></p>');
  await writeFile(
    join(dir, 'may.eml'),
    'From: a@example.com\r\nSubject: May\r\nContent-Type: text/html\r\n\r\n<p>Roses</p>',
  );
  app = await startApp({ GALLEY_ROLES: 'api,work' });
});
after(async () => {
  await app?.close();
  await rm(dir, { recursive: true, force: true });
});

async function galley(...args: readonly string[]) {
  const program = startProgram([process.execPath, MAIN, 'emails', ...args, '--url', app.url], {
    env: { GALLEY_API_KEY: app.key },
  });
  const { code } = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

describe('galley emails', () => {
  it('makes an email and its versions, tests one, and says whether it is ready', async () => {
    assert.match((await galley('list')).stdout, /^No email that fits\./);
    const made = await galley('create', join(dir, 'may.html'), '--folder', 'Garden', '--tag', 'may');
    assert.deepEqual([made.code, made.stderr], [0, '']);
    const [, id = ''] = /^([0-9a-f]{24}) {2}may\.html, version 1\n$/.exec(made.stdout) ?? [];
    assert.ok(id, made.stdout);
    assert.equal((await galley('add', id, join(dir, 'may.eml'))).stdout, 'Version 2 is there.\n');
    assert.match((await galley('versions', id)).stdout, /^2 {2}paste .*“May”\n1 {2}paste .*“”\n$/);
    const started = await galley('test', id, '--version', '1', '--tests', 'code,placement');
    assert.equal(started.code, 1);
    assert.match(started.stdout, /^code {2}[0-9a-f]{24} .*\nplacement {2}not started: from /);
    await app.idle();
    const { code, stdout } = await galley('overview', id, '--version', '1');
    assert.equal(code, 1);
    assert.match(stdout, /^Not ready; .*\n {2}not ready {2}Subject and preheader: This version has no subject\./);
    assert.match((await galley('findings', id, '--version', '1')).stdout, /repairing it gains [\d.]+ of 100 readers/);
    assert.match((await galley('compare', id, '1', '2')).stdout, /^Version 1 to 2: no test of both can be compared\./);
    assert.match((await galley('invite', id, '--name', 'Ann', '--days', '3')).stdout, /^http.*\/review#[\w-]{43}\n/);
    assert.equal((await galley('request-changes', id, '--note', 'No images.')).code, 0);
    assert.match(
      (await galley('review', id)).stdout,
      /^Version 2: changes requested.*\n {2}.* requests changes: No images\./,
    );
    assert.equal((await galley('approve', id)).stdout, 'Version 2: approved, 0 open comments.\n');
    assert.match(
      (await galley('list', '--folder', 'Garden')).stdout,
      new RegExp(`^${id} {2}may\\.html {2}version 2, untested`),
    );
    assert.equal((await galley('delete', id)).code, 0);
  });

  for (const [args, said] of [
    [['make'], /Unknown command "emails make"/],
    [['create'], /Something is missing/],
    [['list', '--version', '1'], /--version does not go with/],
    [['test', 'x', '--tests', 'smell'], /"smell" is none of them/],
    [['overview', 'x', '--version', '0'], /--version must be a number/],
    [['invite', 'x'], /Say who reviews/],
    [['invite', 'x', '--name', 'Ann', '--days', '400'], /--days must be/],
  ] as const)
    it(`refuses ${args.join(' ')}`, async () => {
      const { code, stderr } = await galley(...args);
      assert.equal(code, 2);
      assert.match(stderr, said);
    });
});
