// What leaves under names that a domain's owner publishes once: keys behind CNAME records, and the host of return paths.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createTransport } from 'nodemailer';
import { authenticate } from '../../../engines/mail-authentication/index.ts';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { startProgram } from '../../../../test/harness/program.ts';
import sendingDomains from '../sending-domains/index.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEYED = 'keyed.example.com';

/** The operator's zone, as their script filled it last. */
let operated: Record<string, DeclaredRecords> = {};
const bed = liveBed({
  settings: { GALLEY_ROLES: 'api,work,send,mail', GALLEY_KEYS_ZONE: 'keys.galley.test' },
  dnsOf: (): Dns => ({
    resolve: (name, type) => createZoneDns({ ...bed.zone, ...operated }).resolve(name, type),
  }),
});

async function publish(): Promise<void> {
  const { body } = await bed.app.call('GET /v1/galley/keys_zone');
  // As a name server reads the lines.
  operated = Object.fromEntries(
    body.zone_file
      .split('\n')
      .filter(Boolean)
      .map((line: string) => {
        const [, name = '', strings = ''] = /^(\S+)\. 3600 IN TXT (.*)$/.exec(line) ?? [];
        return [name, { TXT: [[...strings.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join('')] }];
      }),
  );
}

/** Time goes on; then what the service does by itself every few minutes, and what the operator's script does. */
async function pass(milliseconds: number): Promise<void> {
  const { app } = bed;
  app.clock.advance(milliseconds);
  const job = sendingDomains.jobs?.find(({ name }) => name === 'sending-domains.find-rotations');
  await job!.run(app.galley.outside, {} as never, { signal: new AbortController().signal, attempt: 1, isLast: true });
  await app.idle();
  await publish();
}

let letters = 0;
/** Sends a message of the domain, and answers it as it was delivered. */
async function delivered(domain: string): Promise<{ from: string; raw: Buffer }> {
  const to = `reader${(letters += 1)}@example.net`;
  await bed.send({ to, from: `ann@${domain}` }, `/v3/${domain}/messages`);
  while (bed.taken(to).length === 0) {
    bed.app.clock.advance(1000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { from, raw } = bed.taken(to)[0]!;
  return { from, raw: Buffer.from(raw, 'latin1') };
}

/** The verdicts of a receiver who looks the keys up in DNS now: selector and result. */
async function verdictsOf(raw: Buffer, domain: string): Promise<string[]> {
  const now = bed.app.clock.now();
  const { dkim } = await authenticate(raw, {
    dns: bed.dns,
    now,
    ip: '127.0.0.1',
    helo: 'x.example',
    mailFrom: `x@${domain}`,
    mta: 'mx.example.net',
  });
  return dkim.map(({ selector, result }) => `${selector} ${result}`);
}

describe('keys behind CNAME records', () => {
  it('verify every message, sent before, during and after their change, while the owner does nothing', async () => {
    const { app, zone } = bed;
    const { body } = await app.call('POST /v4/domains', { body: { name: KEYED, use_automatic_sender_security: true } });
    for (const { record_type: type, name, value } of body.sending_dns_records)
      if (type === 'CNAME' && name.includes('._domainkey.')) zone[name] = { CNAME: [value] };
    await publish();
    assert.equal((await app.call(`PUT /v4/domains/${KEYED}/verify`)).body.domain.state, 'active');
    const owners = structuredClone(zone);

    const before = await delivered(KEYED);
    assert.deepEqual(await verdictsOf(before.raw, KEYED), ['galley-a pass']);
    // The next key is in the zone, and the one before it signs.
    const keys = async (): Promise<any[]> => (await app.call(`GET /v4/domains/${KEYED}/keys`)).body.items;
    await pass(120 * DAY_MS);
    const during = await delivered(KEYED);
    assert.equal((await keys()).length, 2);
    assert.deepEqual(await verdictsOf(during.raw, KEYED), ['galley-a pass']);
    await pass(0);
    await pass(4 * HOUR_MS);
    const after = await delivered(KEYED);
    assert.deepEqual(await verdictsOf(after.raw, KEYED), ['galley-b pass']);
    // What was on its way while the key changed is verified after that, too.
    assert.deepEqual(await verdictsOf(during.raw, KEYED), ['galley-a pass']);
    assert.deepEqual(zone, owners);
    // The command prints the lines that were read here.
    const { zone_file: lines } = (await app.call('GET /v1/galley/keys_zone')).body;
    const main = join(import.meta.dirname, '../../../main.ts');
    const program = startProgram([process.execPath, main, 'keys-zone', '--url', app.url], {
      env: { GALLEY_API_KEY: app.key },
    });
    assert.deepEqual([(await program.ended).code, program.stdout()], [0, lines]);
    // The check is real: with the operator's zone gone, nothing verifies.
    operated = {};
    assert.notDeepEqual(await verdictsOf(after.raw, KEYED), ['galley-b pass']);
    await publish();
  });
});

describe('mailfrom_host', () => {
  const HOST = `bounces.${DOMAIN}`;
  const put = (body: object) => bed.app.call(`PUT /v4/domains/${DOMAIN}`, { body });
  const verify = async (): Promise<any> => {
    const { body } = await bed.app.call(`PUT /v4/domains/${DOMAIN}/verify`);
    // Processes that send hear of it within ten seconds.
    bed.app.clock.advance(11_000);
    return body.sending_dns_records.find(({ purpose }: any) => purpose === 'return_path');
  };
  const hostOf = (address: string): string => address.slice(address.indexOf('@') + 1);

  it('is the host of return paths as long as DNS leads from it to this installation', async () => {
    const { status, body } = await put({ mailfrom_host: HOST.toUpperCase(), wildcard: true });
    assert.deepEqual([status, body.domain.mailfrom_host], [200, HOST]);
    const { cached: _, ...record } = body.sending_dns_records.find(({ purpose }: any) => purpose === 'return_path');
    assert.deepEqual(record, {
      is_active: false,
      is_needed: false,
      name: HOST,
      purpose: 'return_path',
      record_type: 'CNAME',
      valid: 'unknown',
      value: 'galley.localhost',
    });
    assert.equal((await verify()).valid, 'invalid');
    assert.equal(hostOf((await delivered(DOMAIN)).from), 'galley.localhost');
    bed.zone[HOST] = { CNAME: ['galley.localhost'] };
    assert.equal((await verify()).valid, 'valid');
    assert.equal(hostOf((await delivered(DOMAIN)).from), HOST);
    delete bed.zone[HOST];
    assert.equal((await verify()).valid, 'invalid');
    assert.equal(hostOf((await delivered(DOMAIN)).from), 'galley.localhost');
    bed.zone[HOST] = { CNAME: ['galley.localhost'] };
    await verify();
  });

  it('brings bounces back, also where the domain takes the mail of all names below it', async () => {
    const { from } = await delivered(DOMAIN);
    assert.equal(hostOf(from), HOST);
    const { host, port } = bed.app.galley.outside.ownSmtp!;
    const transport = createTransport({ host, port, secure: false, ignoreTLS: true });
    const report = [
      'From: MAILER-DAEMON@mx.example.net',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.net',
      '',
      'Final-Recipient: rfc822; reader@example.net',
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 No such user',
      '--b--',
      '',
    ].join('\r\n');
    await transport.sendMail({ envelope: { from: '', to: [from] }, raw: report });
    transport.close();
    const recipient = `reader${letters}@example.net`;
    const isBounced = async () => (await bed.app.call(`GET /v3/${DOMAIN}/bounces/${recipient}`)).status === 200;
    while (!(await isBounced())) await new Promise((resolve) => setTimeout(resolve, 30));
  });

  it('is given up by an empty text, and another check begins anew with another host', async () => {
    const other = await put({ mailfrom_host: `back.${DOMAIN}` });
    const { valid, name } = other.body.sending_dns_records.find(({ purpose }: any) => purpose === 'return_path');
    assert.deepEqual([valid, name], ['unknown', `back.${DOMAIN}`]);
    const { body } = await put({ mailfrom_host: '' });
    assert.equal('mailfrom_host' in body.domain, false);
    assert.ok(body.sending_dns_records.every(({ purpose }: any) => purpose !== 'return_path'));
  });
});
