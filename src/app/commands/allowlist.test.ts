// `galley allowlist`, on the database of a Galley that does not run: for whoever is locked out.
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
const KEY = 'key-of-a-deployment-that-is-locked';

let dir: string;
let env: Record<string, string>;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-allowlist-'));
  env = { ...FREE_PORTS, GALLEY_DATA_DIR: dir, GALLEY_API_KEY: KEY, GALLEY_ROLES: 'api', GALLEY_BROWSERS: '1' };
});
after(() => rm(dir, { recursive: true, force: true }));

async function galley(...args: string[]): Promise<[code: number | null, stdout: string, stderr: string]> {
  const program = startProgram([process.execPath, join(ROOT, 'bin/galley.mjs'), 'allowlist', ...args], { env });
  const { code } = await program.ended;
  return [code, program.stdout(), program.stderr()];
}

/** What a call with the key is answered, of a Galley that runs for it. */
async function statusOfCall(): Promise<number> {
  const config = readConfig({ ...env, GALLEY_OPTIONAL_ENGINES: 'off' });
  const started = await startGalley({ config, log: createLog('silent') });
  try {
    const headers = { authorization: `Basic ${btoa(`api:${KEY}`)}` };
    return (await fetch(`${started.url}/v2/ip_whitelist`, { headers })).status;
  } finally {
    await started.close();
  }
}

const line = (address: string, description = ''): string => `${address.padEnd(43)}  ${description}\n`;
const EMPTY = 'The list is empty: the account is used from every address.\n';

describe('galley allowlist', () => {
  it('locks, shows, and lets in again', async () => {
    assert.deepEqual(await galley('list'), [2, '', 'No account exists yet. Start Galley once to create it.\n']);
    assert.equal(await statusOfCall(), 200);
    assert.deepEqual(await galley('list'), [0, '', EMPTY]);
    const office = line('203.0.113.0/24', 'The office');
    assert.deepEqual(await galley('add', '203.0.113.0/24', '--description', 'The office'), [0, office, '']);
    assert.equal(await statusOfCall(), 403);
    assert.deepEqual(await galley('add', '127.0.0.1'), [0, office + line('127.0.0.1'), '']);
    assert.deepEqual(await galley('add', '::1'), [0, office + line('127.0.0.1') + line('::1'), '']);
    assert.equal(await statusOfCall(), 200);
    assert.deepEqual(await galley('remove', '127.0.0.1'), [0, office + line('::1'), '']);
    assert.deepEqual(await galley('clear'), [0, '', EMPTY]);
    assert.equal(await statusOfCall(), 200);
  });

  it('says what is wrong, and changes nothing', async () => {
    for (const [args, code, words] of [
      [[], 2, /^galley allowlist list \| add ADDRESS/],
      [['ad', '127.0.0.1'], 2, /^Unknown command "allowlist ad"\. .*"?add"?/],
      [['add'], 2, /^galley allowlist add takes one address\.\n$/],
      [['clear', '127.0.0.1'], 2, /^galley allowlist clear takes no arguments\.\n$/],
      [['remove', '127.0.0.1', '--description', 'x'], 2, /^--description goes with add alone\.\n$/],
      [['list', '--account', 'nobody'], 2, /^There is no account nobody\.\n$/],
      [['add', 'shop.example'], 1, /Invalid IP Address or CIDR: "shop\.example"/],
      [['remove', '192.0.2.1'], 1, /IP not found/],
    ] as const) {
      const [found, stdout, stderr] = await galley(...args);
      assert.deepEqual([found, stdout], [code, ''], `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, words, args.join(' '));
    }
    assert.deepEqual(await galley('list'), [0, '', EMPTY]);
    assert.match((await galley('--help'))[1], /^galley allowlist list \| add ADDRESS/);
  });
});
