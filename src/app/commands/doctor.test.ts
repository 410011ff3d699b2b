// `galley doctor` on machines that are in order, and on others.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startProgram } from '../../../test/harness/program.ts';
import { startUdpDns, type DnsServer } from '../../../test/harness/udp-dns.ts';

const ROOT = join(import.meta.dirname, '../../..');

interface Check {
  name: string;
  state: string;
  message: string;
  fix: string | null;
}

describe('galley doctor', () => {
  let dir: string;
  let dns: DnsServer;
  let relay: Server;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'galley-doctor-'));
    await writeFile(join(dir, 'file'), '');
    dns = await startUdpDns({
      'com NS': ['a.example.com'],
      'gmail.com MX': ['10 mx.example.com'],
      '1.2.0.192.in-addr.arpa PTR': ['mail.example.com'],
      'mail.example.com A': ['192.0.2.1'],
      '2.2.0.192.in-addr.arpa PTR': ['elsewhere.example.com'],
    });
    relay = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => relay.once('listening', resolve));
  });
  after(async () => {
    relay.close();
    await dns.close();
    await rm(dir, { recursive: true, force: true });
  });
  const ask = async (env: Record<string, string>): Promise<{ code: number | null; checks: Record<string, Check> }> => {
    const program = startProgram([process.execPath, join(ROOT, 'bin/galley.mjs'), 'doctor', '--json'], {
      env: {
        GALLEY_OPTIONAL_ENGINES: 'off',
        GALLEY_DATA_DIR: join(dir, 'data'),
        GALLEY_DNS_SERVERS: `127.0.0.1:${dns.port}`,
        GALLEY_FIND_FILTERS: 'off',
        ...env,
      },
    });
    const { code } = await program.ended;
    const { healthy, checks } = JSON.parse(program.stdout()) as { healthy: boolean; checks: Check[] };
    assert.equal(healthy, code === 0, program.stderr());
    return { code, checks: Object.fromEntries(checks.map((check) => [check.name, check])) };
  };

  it('finds no fault, tells what is missing, and does not call unknown what it could not ask', async () => {
    const { code, checks } = await ask({
      GALLEY_SMTP_RELAY: `smtp://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    });
    assert.equal(code, 0, JSON.stringify(checks));
    for (const name of ['program', 'data directory', 'database', 'object store', 'engines', 'DNS', 'port 25'])
      assert.equal(checks[name]!.state, 'ok', JSON.stringify(checks[name]));
    assert.match(checks['engines']!.message, /Chrom/);
    assert.equal(checks['spam filters']!.state, 'warning');
    assert.match(checks['spam filters']!.fix!, /GALLEY_SPAMD/);
    // The zone knows no web server to ask for the time.
    assert.equal(checks['clock']!.state, 'warning');
    assert.match(checks['clock']!.message, /^Not found out: /);
  });

  it('finds a database, a store, a directory and a relay that are not there, each with the way to mend it', async () => {
    const { code, checks } = await ask({
      GALLEY_DATA_DIR: join(dir, 'file'),
      GALLEY_DATABASE_URL: 'postgres://galley@127.0.0.1:1/galley',
      GALLEY_STORAGE_URL: 's3://key:secret@127.0.0.1:1/bucket?region=eu-1&tls=off',
      GALLEY_SMTP_RELAY: 'smtp://127.0.0.1:1',
      GALLEY_DELIVERY: 'live',
      GALLEY_CHROMIUM: '/nowhere/chromium',
    });
    assert.equal(code, 1);
    for (const name of ['data directory', 'database', 'object store', 'engines', 'port 25']) {
      assert.equal(checks[name]!.state, 'fault', JSON.stringify(checks[name]));
      assert.ok(checks[name]!.fix, `${name} says how to mend it`);
    }
    assert.match(checks['port 25']!.message, /127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/);
    for (const { message } of Object.values(checks)) assert.doesNotMatch(message, /secret/);
  });

  it('asks reverse DNS both ways', async () => {
    const right = await ask({ GALLEY_SENDING_IPS: '192.0.2.1=mail.example.com' });
    assert.equal(right.checks['reverse DNS']!.state, 'ok', right.checks['reverse DNS']!.message);
    const { checks } = await ask({ GALLEY_SENDING_IPS: '192.0.2.2=mail.example.com' });
    assert.equal(checks['reverse DNS']!.state, 'fault');
    assert.match(checks['reverse DNS']!.message, /names elsewhere\.example\.com, not mail\.example\.com/);
  });

  it('names the settings that are wrong', async () => {
    const { code, checks } = await ask({ GALLEY_PORT: 'many' });
    assert.deepEqual([code, Object.keys(checks)], [1, ['settings']]);
    assert.match(checks['settings']!.message, /GALLEY_PORT/);
  });
});
