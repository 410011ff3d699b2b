// `galley validate`, against a Galley that runs.
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
  dir = await mkdtemp(join(tmpdir(), 'galley-validate-'));
  app = await startApp(
    { GALLEY_ROLES: 'api,work' },
    { zone: { 'example.net': { MX: ['10 mx.example.net'] }, 'null.example': { MX: ['0 .'] } } },
  );
});
after(async () => {
  await app.close();
  await rm(dir, { recursive: true });
});

async function galley(...args: readonly string[]) {
  const program = startProgram([process.execPath, MAIN, 'validate', ...args, '--url', app.url], {
    env: { GALLEY_API_KEY: app.key },
  });
  const { code } = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

describe('galley validate', () => {
  it('says what is known of addresses', async () => {
    const { code, stdout, stderr } = await galley('ann@null.example', 'info@example.net');
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(stdout.split('\n'), [
      'ann@null.example: undeliverable, risk high',
      '    null.example takes no mail: it publishes a null MX record.',
      '    No mail of this account was delivered to it within 30 days.',
      'info@example.net: unknown, risk medium',
      '    The name stands for a task in place of a person.',
      '    No mail of this account was delivered to it within 30 days.',
      '',
    ]);
    const json = await galley('ann@null.example', '--json');
    assert.equal(JSON.parse(json.stdout).result, 'undeliverable');
  });

  it('validates a file, and prints its results', async () => {
    const file = join(dir, 'spring.csv');
    await writeFile(file, 'email\nann@null.example\nbob@example.net\n');
    const { code, stdout, stderr } = await galley(file);
    assert.deepEqual([code, stderr], [0, '2 addresses are validated as the list spring.csv.\n']);
    assert.match(stdout, /\r\nann@null\.example,undeliverable,high,domain_takes_no_mail,,,false,false,,\r\n/);
    const again = await galley(file);
    assert.deepEqual(
      [again.code, again.stderr],
      [1, 'This account has a list named spring.csv; delete it, or give another name.\n'],
    );
    const json = await galley(file, '--name', 'other', '--json');
    assert.equal(JSON.parse(json.stdout).length, 2);
  });

  it('ends with 2 for wrong words', async () => {
    for (const [args, message] of [
      [[], /^Name an address or a file\./],
      [['nowhere.csv'], /^There is no file nowhere\.csv, and it is no address\./],
      [['ann@example.net', '--name', 'x'], /^--name goes with a file\./],
    ] as const) {
      const { code, stderr } = await galley(...args);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });
});
