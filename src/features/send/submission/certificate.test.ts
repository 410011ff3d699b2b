// The operator's certificate comes near its end, and is renewed.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { makeCertificate } from '../../../platform/certificates/index.ts';
import { lookAtCertificate } from './jobs.ts';

const DAY_MS = 86_400_000;

let dir: string;
let app: App;
let ends: Date;

/** Puts a certificate in place that ends so many days after the clock of the service. */
async function renew(now: Date, { days, age = 60 }: { days: number; age?: number }): Promise<Date> {
  const validTo = new Date(now.getTime() + days * DAY_MS);
  const validFrom = new Date(now.getTime() - age * DAY_MS);
  const { key, cert } = makeCertificate({ commonName: 'mail.example.com', validFrom, validTo });
  await Promise.all([writeFile(join(dir, 'cert.pem'), cert), writeFile(join(dir, 'key.pem'), key)]);
  return validTo;
}

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-certificate-'));
  ends = await renew(new Date(), { days: 30 });
  app = await startApp({
    GALLEY_ROLES: 'api,work,mail',
    GALLEY_SUBMISSION_CERTIFICATE: join(dir, 'cert.pem'),
    GALLEY_SUBMISSION_KEY: join(dir, 'key.pem'),
  });
});
after(async () => {
  await app?.close();
  await rm(dir, { recursive: true, force: true });
});

/** What the service does every hour. */
async function look(): Promise<any[]> {
  await lookAtCertificate.run(
    app.galley.outside,
    {},
    { signal: new AbortController().signal, attempt: 1, isLast: true },
  );
  await app.idle();
  return (await app.call('GET /v1/galley/alerts?event_type=certificate_expiring')).body.items;
}

describe('the certificate of submission', () => {
  it('raises one alert 21 days before its end, which a renewal ends', async () => {
    assert.deepEqual(await look(), []);
    app.clock.advance(10 * DAY_MS);
    await look();
    const [alert, ...more] = await look();
    assert.deepEqual(more, []);
    const day = ends.toISOString().slice(0, 10);
    assert.deepEqual(
      [alert.message, alert.subject, alert.count, alert.over_at],
      [`The certificate of submission by SMTP (DNS:mail.example.com) is valid until ${day}.`, 'submission', 1, null],
    );
    // A file that was cut off says nothing: the one that was read last is still in use.
    await writeFile(join(dir, 'cert.pem'), '-----BEGIN CERTIFICATE-----\n');
    assert.equal((await look())[0].over_at, null);

    await renew(app.clock.now(), { days: 80, age: 10 });
    await look();
    const [over, ...others] = await look();
    assert.deepEqual(others, []);
    assert.ok(over.over_at);
    assert.match(over.message, /\(DNS:mail\.example\.com\) was renewed, and is valid until \d{4}-\d\d-\d\d\.$/);
  });

  it('is not near its end with days left, when it is valid for a week', async () => {
    const open = async () => (await look()).filter(({ over_at: over }) => over === null).length;
    await renew(app.clock.now(), { days: 6, age: 1 });
    assert.equal(await open(), 0);
    await renew(app.clock.now(), { days: 1, age: 6 });
    assert.equal(await open(), 1);
  });

  it('is told to the account of the deployment alone', async () => {
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
    const headers = { 'x-service-account-id': id };
    assert.deepEqual((await app.call('GET /v1/galley/alerts', { headers })).body.items, []);
  });
});
