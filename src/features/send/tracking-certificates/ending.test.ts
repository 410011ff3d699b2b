// A certificate of a tracking host comes near its end: somebody hears of it, once, and of its renewal.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { startAcmeServer, type AcmeServer } from '../../../../test/harness/acme-server.ts';
import { makeCertificate } from '../../../../test/harness/certificate.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { jobs } from './jobs.ts';

const DAY_MS = 86_400_000;
const NAME = 'news.example.com';
const HOST = `email.${NAME}`;
const TARGET = 'mail.example.com';
const PUBLIC = { GALLEY_ROLES: 'api,work', GALLEY_PUBLIC_URL: `https://${TARGET}` };
const zone: Record<string, DeclaredRecords> = {};
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
let app: App;
let headers: Record<string, string> = {};

/** What the service does by itself every hour and every few minutes, after so much time. */
async function pass(milliseconds: number): Promise<void> {
  app.clock.advance(milliseconds);
  for (const name of ['tracking-certificates.find-due', 'tracking-certificates.find-ending']) {
    const job = jobs.find((one) => one.name === name);
    assert.ok(job);
    const turn = { signal: new AbortController().signal, attempt: 1, isLast: true };
    await job.run(app.galley.outside, {} as never, turn);
    await app.idle();
  }
}

async function alerts(): Promise<any[]> {
  return (await app.call('GET /v1/galley/alerts?event_type=certificate_expiring', { headers })).body.items;
}

describe('a certificate that an authority issued', () => {
  let acme: AcmeServer;
  before(async () => {
    acme = await startAcmeServer();
    const settings = { GALLEY_ACME_TERMS: 'agreed', GALLEY_ACME_DIRECTORY: acme.directoryUrl };
    app = await startApp({ ...PUBLIC, ...settings, GALLEY_ALLOW_HOSTS: '127.0.0.0/8' }, { dns });
    acme.hostsAt.port = Number(new URL(app.url).port);
    acme.validTo = () => new Date(app.clock.now().getTime() + 90 * DAY_MS);
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Shop')).body.subaccount;
    headers = { 'x-service-account-id': id };
    const body = { name: NAME };
    const { sending_dns_records: records } = (await app.call('POST /v4/domains', { body, headers })).body;
    for (const { name: at, value, record_type: type } of records) zone[at] = { [type]: [value] };
    await app.call(`PUT /v4/domains/${NAME}/verify`, { headers });
    await app.call(`POST /v2/x509/${NAME}`, { headers });
    await app.idle();
    assert.equal(acme.issued.length, 1);
  });
  after(async () => {
    await app?.close();
    await acme?.close();
  });

  it('raises one alert when it was not renewed in time, for the account of the domain', async () => {
    acme.refusals.set('newOrder', { status: 503, type: 'serverInternal', detail: 'out of order' });
    await pass(62 * DAY_MS);
    assert.deepEqual(await alerts(), []);
    await pass(8 * DAY_MS);
    await pass(3_600_000);
    const [alert, ...more] = await alerts();
    assert.deepEqual(more, []);
    const day = (await app.call(`GET /v2/x509/${NAME}/status`, { headers })).body.valid_to;
    const ends = new Date(day).toISOString().slice(0, 10);
    const { message, subject, count, over_at: over, page } = alert;
    assert.deepEqual(
      [message, subject, count, over],
      [`The certificate of the tracking host ${HOST} is valid until ${ends}.`, `tracking ${HOST}`, 1, null],
    );
    assert.equal(page, `/domains/${NAME}`);
    assert.deepEqual((await app.call('GET /v1/galley/alerts?event_type=certificate_expiring')).body.items, []);
  });

  it('ends it with its renewal', async () => {
    acme.refusals.clear();
    await pass(DAY_MS);
    assert.equal(acme.issued.length, 2);
    const [alert, ...more] = await alerts();
    assert.deepEqual(more, []);
    assert.ok(alert.over_at);
    assert.match(alert.message, /^The certificate of the tracking host email\.news\.example\.com was renewed, and is/);
  });

  it('ends it also when the domain goes', async () => {
    acme.refusals.set('newOrder', { status: 503, type: 'serverInternal', detail: 'out of order' });
    await pass(75 * DAY_MS);
    const open = (await alerts()).filter(({ over_at: over }) => over === null);
    assert.equal(open.length, 1);
    await app.call(`DELETE /v3/domains/${NAME}`, { headers });
    await pass(0);
    const all = await alerts();
    assert.deepEqual(
      all.map(({ over_at: over }) => over === null),
      all.map(() => false),
    );
    const ended = `The certificate of the tracking host ${HOST} is no longer used.`;
    assert.ok(all.some(({ message }) => message === ended));
  });
});

describe('a certificate of the operator’s folder', () => {
  let folder: string;
  const put = (file: string, days: number): Promise<void> => {
    const now = app?.clock.now() ?? new Date();
    const validTo = new Date(now.getTime() + days * DAY_MS);
    const altNames = ['a.example.com', 'b.example.com'];
    const made = makeCertificate({ commonName: 'a.example.com', altNames, validTo });
    return writeFile(join(folder, file), made.key + made.cert);
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-ending-'));
    app = await startApp({ ...PUBLIC, GALLEY_TRACKING_CERTIFICATES: folder }, { dns });
    headers = {};
  });
  after(async () => {
    await app?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('raises an alert of the deployment’s own account, which a file with another one ends', async () => {
    await put('hosts.pem', 400);
    await pass(DAY_MS);
    assert.deepEqual(await alerts(), []);
    await pass(380 * DAY_MS);
    const [alert, ...more] = await alerts();
    assert.deepEqual(more, []);
    assert.equal(alert.subject, 'tracking a.example.com, b.example.com');
    assert.match(
      alert.message,
      /^The certificate of the tracking host a\.example\.com, b\.example\.com is valid until/,
    );
    assert.equal(alert.over_at, null);
    await put('renewed.pem', 400);
    await pass(3_600_000);
    const [over, ...others] = await alerts();
    assert.deepEqual(others, []);
    assert.ok(over.over_at);
    assert.match(over.message, / was renewed, and is valid until /);
  });
});
