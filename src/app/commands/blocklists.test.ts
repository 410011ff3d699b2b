// `galley blocklists` as it is run, against the hundred lists of the sweep's test.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startWorld, WORLD, type WorldList } from '../../features/monitor/blocklists/world.fixture.ts';

const MAIN = join(import.meta.dirname, '../../main.ts');
const on = ({ zone }: WorldList): boolean => zone.startsWith('l00');
const TRUTH = WORLD.filter(on).map(({ zone }) => zone);

let world: Awaited<ReturnType<typeof startWorld>>;
before(async () => {
  world = await startWorld(
    (list, name) => on(list) && name === '1.2.0.192',
    () => false,
  );
});
after(() => world.close());

function galley(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    GALLEY_BLOCKLISTS: world.path,
    GALLEY_DNS_SERVERS: world.dns.address,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, 'blocklists', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('galley blocklists', () => {
  it('names the lists that hold an address, and ends with 1', async () => {
    const { code, stdout, stderr } = await galley('192.0.2.1', 'example.com', '--json');
    assert.deepEqual([code, stderr], [1, ''], stdout);
    const { assets, advice } = JSON.parse(stdout);
    assert.equal(advice, '');
    assert.deepEqual(
      assets.map(({ asset, kind }: any) => `${kind} ${asset}`),
      ['ip4 192.0.2.1', 'domain example.com'],
    );
    assert.deepEqual(assets[0].listed.map(({ list }: any) => list).toSorted(), TRUTH);
    assert.equal(assets[0].listed[0].reason, 'Seen in our traps');
    assert.deepEqual(assets[1].listed, []);
    const unsure = WORLD.filter(({ manner }) => !['good', 'slow', 'flapping'].includes(manner)).map(({ zone }) => zone);
    assert.deepEqual(assets[0].unknown.map(({ list }: any) => list).toSorted(), unsure);
  });

  it('says so in words, and ends with 0 where nothing is listed', async () => {
    const listed = await galley('192.0.2.1');
    assert.equal(listed.code, 1);
    assert.match(listed.stdout, /^192\.0\.2\.1: on 10 of 74 lists that answered$/m);
    assert.match(listed.stdout, /^ {2}LISTED {2}L000 \(l000\.lists\.test\): 127\.0\.0\.2$/m);
    const { code, stdout } = await galley('2001:db8::1', '--all');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^2001:db8::1: on 0 of \d+ lists that answered$/m);
    assert.match(stdout, /^ {2}unknown L\d+ \(l\d+\.lists\.test\): the name server failed \(SERVFAIL\)$/m);
  });

  it('ends with 2 for what is no address or domain', async () => {
    const { code, stderr } = await galley('10.0.0.1');
    assert.deepEqual([code, stderr.trim()], [2, '"10.0.0.1" is no public IP address, no domain and no email address.']);
    assert.equal((await galley()).code, 2);
  });
});
