// The same protocol as others have written it: a certificate from Pebble, and https of the host with it.
import assert from 'node:assert/strict';
import { request } from 'node:https';
import { after, before, describe, it } from 'node:test';
import tls from 'node:tls';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { pebbleAbsence, preparePebble } from '../../../../test/harness/pebble.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const HOST = `email.${DOMAIN}`;
const zone: Record<string, DeclaredRecords> = { [HOST]: { CNAME: ['mail.example.com'] } };
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };

describe('a certificate from Pebble', { skip: pebbleAbsence ?? false }, () => {
  let app: App;
  let pebble: Awaited<ReturnType<typeof preparePebble>>;
  before(async () => {
    pebble = await preparePebble([HOST]);
    // As NODE_EXTRA_CA_CERTS does for a process.
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), pebble.certificate]);
    const settings = {
      GALLEY_ROLES: 'api,work',
      GALLEY_PUBLIC_URL: 'https://mail.example.com',
      GALLEY_ALLOW_HOSTS: '127.0.0.0/8',
      GALLEY_TRACKING_TLS_PORT: '0',
      GALLEY_ACME_TERMS: 'agreed',
      GALLEY_ACME_DIRECTORY: pebble.directoryUrl,
    };
    app = await startApp(settings, { dns });
    await pebble.start(Number(new URL(app.url).port));
    const { sending_dns_records: records } = (await app.call('POST /v4/domains', { body: { name: DOMAIN } })).body;
    for (const { name, value, record_type: type } of records) zone[name] = { [type]: [value] };
    await app.call(`PUT /v4/domains/${DOMAIN}/verify`);
  });
  after(async () => {
    await app?.close();
    await pebble?.close();
  });

  it('is issued, and serves the host', async () => {
    assert.equal((await app.call(`POST /v2/x509/${DOMAIN}`)).status, 202);
    await app.idle();
    const { status, error } = (await app.call(`GET /v2/x509/${DOMAIN}/status`)).body;
    assert.deepEqual([status, error], ['active', null]);
    const ca = await pebble.readCa();
    const port = Number(/over https: https:\/\/127\.0\.0\.1:(\d+)/.exec(app.galley.about.join('\n'))![1]);
    const answered = await new Promise<number>((resolve, reject) => {
      const where = { host: '127.0.0.1', port, servername: HOST, headers: { host: HOST }, path: '/c/nothing', ca };
      const asked = request({ ...where, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      });
      asked.on('error', reject).end();
    });
    assert.equal(answered, 404);
  });
});
