// Without an authority: the operator's own certificates, and what is refused; with one, how often it is asked at most.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { startAcmeServer, type AcmeServer } from '../../../../test/harness/acme-server.ts';
import { makeCertificate } from '../../../../test/harness/certificate.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DAY_MS = 86_400_000;
const PUBLIC = { GALLEY_ROLES: 'api,work', GALLEY_PUBLIC_URL: 'https://mail.example.com' };
const zone: Record<string, DeclaredRecords> = {};
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };

async function addDomain(app: App, name: string): Promise<void> {
  const { sending_dns_records: records } = (await app.call('POST /v4/domains', { body: { name } })).body;
  for (const { name: at, value, record_type: type } of records) zone[at] = { [type]: [value] };
  assert.equal((await app.call(`PUT /v4/domains/${name}/verify`)).body.domain.state, 'active');
}

describe('the operator’s own certificates', () => {
  const ca = makeCertificate({ commonName: 'Own CA', isAuthority: true });
  const validTo = new Date(Date.now() + 200 * DAY_MS);
  const own = makeCertificate({
    commonName: 'own',
    altNames: ['*.news.example.com'],
    validTo,
    issuer: { commonName: 'Own CA', privateKey: ca.privateKey },
  });
  let folder: string;
  let app: App;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-certificates-'));
    await writeFile(join(folder, 'news.pem'), own.key + own.cert + ca.cert);
    await writeFile(join(folder, 'broken.pem'), own.cert + ca.key);
    await writeFile(join(folder, 'empty.pem'), '');
    const settings = { GALLEY_TRACKING_CERTIFICATES: folder, GALLEY_TRACKING_TLS_PORT: '0' };
    app = await startApp({ ...PUBLIC, ...settings }, { dns });
    await addDomain(app, 'news.example.com');
    await addDomain(app, 'shop.example.org');
  });
  after(async () => {
    await app?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('serve the hosts that they name', async () => {
    const { body } = await app.call('GET /v2/x509/news.example.com/status');
    assert.deepEqual(
      { ...body, certificate: '', valid_from: '' },
      {
        status: 'active',
        error: null,
        certificate: '',
        host: 'email.news.example.com',
        source: 'operator',
        valid_from: '',
        valid_to: validTo.toUTCString().replace('GMT', 'GMT'),
        next_try: null,
        is_served: true,
      },
    );
    const port = Number(/over https: https:\/\/127\.0\.0\.1:(\d+)/.exec(app.galley.about.join('\n'))![1]);
    const shown = await new Promise((resolve, reject) => {
      const servername = 'email.news.example.com';
      const where = { host: '127.0.0.1', port, servername, headers: { host: servername }, ca: ca.cert, path: '/c/x' };
      const asked = request({ ...where, agent: false }, (answer) => {
        resolve([answer.statusCode, (answer.socket as TLSSocket).getPeerCertificate().subject.CN]);
        answer.resume();
      });
      asked.on('error', reject).end();
    });
    assert.deepEqual(shown, [404, 'own']);
    const { status } = await app.call('PUT /v2/x509/news.example.com');
    assert.equal(status, 409);
    await app.call('PUT /v3/domains/news.example.com/web_prefix?web_scheme=https');
    const { tracking } = (await app.call('GET /v3/domains/news.example.com/tracking')).body;
    assert.equal(tracking.links.start_with, 'https://email.news.example.com');
    await app.call('PUT /v3/domains/shop.example.org/web_prefix?web_scheme=https');
    const other = (await app.call('GET /v3/domains/shop.example.org/tracking')).body.tracking;
    assert.equal(other.links.start_with, 'https://mail.example.com');
  });

  it('are all that there is where the operator has not agreed to the terms of an authority', async () => {
    const { status, body } = await app.call('POST /v2/x509/shop.example.org');
    const Reason =
      'This service asks for no certificates: its operator has not agreed to the terms of the authority ' +
      '(GALLEY_ACME_TERMS).';
    assert.deepEqual([status, body], [400, { Reason, message: Reason }]);
  });

  it('must be in a folder that can be read, and settings must be what they can be', async () => {
    const settings: [Record<string, string>, RegExp][] = [
      [
        { GALLEY_TRACKING_CERTIFICATES: join(folder, 'none') },
        /GALLEY_TRACKING_CERTIFICATES names .*none, which cannot/,
      ],
      [{ GALLEY_ACME_DIRECTORY: 'http://ca.example/dir' }, /GALLEY_ACME_DIRECTORY .* give an https URL/],
      [{ GALLEY_ACME_TERMS: 'yes' }, /GALLEY_ACME_TERMS is "yes": give one of agreed, off/],
      [{ GALLEY_ACME_CONTACT: 'me' }, /GALLEY_ACME_CONTACT is "me": give one email address/],
    ];
    for (const [setting, message] of settings) await assert.rejects(startApp({ ...PUBLIC, ...setting }), message);
  });
});

describe('an authority', () => {
  let acme: AcmeServer;
  let app: App;
  before(async () => {
    acme = await startAcmeServer();
    const settings = { GALLEY_ACME_TERMS: 'agreed', GALLEY_ACME_DIRECTORY: acme.directoryUrl };
    app = await startApp({ ...PUBLIC, ...settings, GALLEY_ALLOW_HOSTS: '127.0.0.0/8' }, { dns });
    await addDomain(app, 'often.example.com');
  });
  after(async () => {
    await app?.close();
    await acme?.close();
  });

  it('is asked for a host three times an hour, however often somebody asks here', async () => {
    acme.refusals.set('newOrder', { status: 400, type: 'rejectedIdentifier', detail: 'not this one' });
    await app.call('POST /v2/x509/often.example.com');
    await app.idle();
    for (let count = 0; count < 4; count += 1) {
      await app.call('PUT /v2/x509/often.example.com');
      await app.idle();
    }
    assert.equal(acme.asked.filter((name) => name === 'newOrder').length, 3);
    const { status, error } = (await app.call('GET /v2/x509/often.example.com/status')).body;
    assert.equal(status, 'processing');
    assert.match(error, /^Many certificates were asked for lately/);
    const pending = await app.call('PUT /v2/x509/often.example.com');
    const Description = 'x509 key pair generation job is already in progress for often.example.com';
    assert.deepEqual([pending.status, pending.body], [429, { Description, message: Description }]);
    assert.equal((await app.call('POST /v2/x509/often.example.com')).status, 409);
  });
});
