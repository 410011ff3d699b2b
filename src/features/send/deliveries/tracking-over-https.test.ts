// The certificate of a tracking host: issued by an authority and renewed, and a tracked click over https with it.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { after, before, describe, it } from 'node:test';
import { connect } from 'node:tls';
import { parseMime } from '../../../engines/mime/index.ts';
import { startAcmeServer, type AcmeServer } from '../../../../test/harness/acme-server.ts';
import trackingCertificates from '../tracking-certificates/index.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const TARGET = 'mail.example.com';
const HOST = `email.${DOMAIN}`;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const settings: Record<string, string> = {
  GALLEY_PUBLIC_URL: `https://${TARGET}`,
  GALLEY_TRACKING_TLS_PORT: '0',
  GALLEY_ACME_TERMS: 'agreed',
  GALLEY_ACME_CONTACT: 'operator@example.com',
};
let acme: AcmeServer;
before(async () => {
  acme = await startAcmeServer();
  acme.validTo = () => new Date(bed.app.clock.now().getTime() + 90 * DAY_MS);
  settings['GALLEY_ACME_DIRECTORY'] = acme.directoryUrl;
});
after(() => acme.close());
const bed = liveBed({ settings });

const X509 = `/v2/x509/${DOMAIN}`;
const call = async (operation: string, headers: Record<string, string> = {}) => {
  const { status, body } = await bed.app.call(operation, { headers });
  return { status, body };
};
const statusOf = async () => (await call(`GET ${X509}/status`)).body;
const tlsPort = (): number =>
  Number(/tracking hosts over https: https:\/\/127\.0\.0\.1:(\d+)/.exec(bed.app.galley.about.join('\n'))![1]);

/** Time goes on; then what the service does by itself every few minutes, and all that follows. */
async function pass(milliseconds: number): Promise<void> {
  bed.app.clock.advance(milliseconds);
  const job = trackingCertificates.jobs?.find(({ name }) => name === 'tracking-certificates.find-due');
  assert.ok(job);
  const turn = { signal: new AbortController().signal, attempt: 1, isLast: true };
  await job.run(bed.app.galley.outside, {} as never, turn);
  await bed.app.idle();
}

interface Answer {
  status: number;
  location: string | undefined;
  serial: string;
}

/** What a host answers over https, its certificate checked against the authority's. */
function follow(url: string): Promise<Answer> {
  const { hostname, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: tlsPort(),
        servername: hostname,
        path: pathname,
        headers: { host: hostname, 'user-agent': 'Firefox/132.0' },
        ca: acme.ca,
        agent: false,
      },
      (answer) => {
        const { serialNumber } = (answer.socket as unknown as import('node:tls').TLSSocket).getPeerCertificate();
        answer.resume();
        resolve({ status: answer.statusCode!, location: answer.headers.location, serial: serialNumber });
      },
    );
    asked.on('error', reject).end();
  });
}

const refusedHandshake = (servername: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: tlsPort(), servername, ca: acme.ca });
    socket.once('secureConnect', () => resolve(false)).once('error', () => resolve(true));
    socket.once('close', () => socket.destroy());
  });

async function linkTo(recipient: string): Promise<string> {
  await bed.send({ to: recipient, html: '<a href="https://shop.example/">Shop</a>', 'o:tracking': 'yes' });
  await bed.eventsOf(recipient);
  const { html = '' } = await parseMime(Buffer.from(bed.taken(recipient)[0]!.raw, 'latin1'));
  return /href="([^"]*)/.exec(html)![1]!;
}

const clicksOf = async (recipient: string): Promise<number> =>
  (await bed.eventsOf(recipient)).filter(({ event }) => event === 'clicked').length;

describe('the certificate of a tracking host', () => {
  it('is asked for once DNS leads to this service, and by who has the domain', async () => {
    assert.deepEqual(await call(`GET ${X509}/status`), {
      status: 404,
      body: {
        Description: `Please initiate x509 key pair generation at POST /v2/x509/${DOMAIN}`,
        message: `Please initiate x509 key pair generation at POST /v2/x509/${DOMAIN}`,
      },
    });
    const missing = { Description: 'x509 cert not found', message: 'x509 cert not found' };
    assert.deepEqual(await call(`PUT ${X509}`), { status: 404, body: missing });
    const early = await call(`POST ${X509}`);
    const Reason = `invalid CNAME record: DNS does not lead from ${HOST} to this service.`;
    assert.deepEqual(early, { status: 400, body: { Reason, message: Reason } });
    const sandbox = (await bed.app.call('GET /v4/domains')).body.items.find(({ type }: any) => type === 'sandbox').name;
    assert.equal((await call(`POST /v2/x509/${sandbox}`)).body.Reason, 'A sandbox domain has no tracking host.');
    const { id } = (await bed.app.call('POST /v5/accounts/subaccounts?name=Stranger')).body.subaccount;
    const unknown = { Description: 'Domain not found', message: 'Domain not found' };
    for (const operation of [`GET ${X509}/status`, `POST ${X509}`, `PUT ${X509}`])
      assert.deepEqual(await call(operation, { 'x-service-account-id': id }), { status: 404, body: unknown });
    assert.deepEqual(acme.asked, []);
    assert.ok(await refusedHandshake(HOST));
  });

  it('shows what the authority says, and asks again later each time, and when the authority wants it', async () => {
    bed.zone[HOST] = { CNAME: [TARGET] };
    await bed.app.call(`PUT /v4/domains/${DOMAIN}/verify`);
    await bed.app.call(`PUT /v3/domains/${DOMAIN}/web_prefix?web_scheme=https`);
    // Nothing answers where the authority looks for the host.
    acme.hostsAt.port = 1;
    const started = await call(`POST ${X509}`);
    assert.deepEqual(started, {
      status: 202,
      body: {
        message: 'Initiated x509 key pair generation',
        location: `https://${TARGET}${X509}/status`,
      },
    });
    await bed.app.idle();
    const failed = await statusOf();
    assert.deepEqual([failed.status, failed.certificate, failed.host], ['error', undefined, HOST]);
    assert.match(failed.error, /^The authority could not check email\.news\.example\.com: .* said ".*ECONNREFUSED/);
    assert.ok((await linkTo('a@example.net')).startsWith(`https://${TARGET}/c/`));
    const ordersOf = () => acme.asked.filter((name) => name === 'newOrder').length;
    assert.equal(ordersOf(), 1);
    await pass(HOUR_MS / 2);
    assert.equal(ordersOf(), 1);
    acme.refusals.set('newOrder', {
      status: 429,
      type: 'rateLimited',
      detail: 'too many certificates already issued',
      retryAfter: String(5 * 3600),
    });
    await pass(HOUR_MS / 2);
    assert.equal(ordersOf(), 2);
    const refusal = 'The authority refused with 429: too many certificates already issued (rateLimited)';
    assert.equal((await statusOf()).error, refusal);
    await pass(4 * HOUR_MS);
    assert.equal(ordersOf(), 2);
    acme.refusals.clear();
    await pass(HOUR_MS);
    assert.equal(ordersOf(), 3);
    assert.match((await statusOf()).error, /ECONNREFUSED/);
  });

  it('is issued, and https of the host is served with it', async () => {
    acme.hostsAt.port = Number(new URL(bed.app.url).port);
    assert.equal((await call(`PUT ${X509}`)).status, 202);
    await bed.app.idle();
    const { status, error, certificate, source, is_served: isServed } = await statusOf();
    assert.deepEqual([status, error, source, isServed], ['active', null, 'authority', true]);
    const shown = new X509Certificate(certificate);
    assert.equal(shown.serialNumber, acme.issued[0]!.serialNumber);
    assert.equal((await call(`GET /v2/x509/${HOST}/status`)).body.host, HOST);
    const valid = await call(`PUT ${X509}`);
    assert.equal(valid.status, 409);
    assert.match(valid.body.Description, /^x509 certificate is still valid until \d{4}-\d\d-\d\d [\d:]{8} \+0000 UTC$/);
    const again = await call(`POST ${X509}`);
    const initiated = `x509 key pair generation has already been initiated for ${DOMAIN}`;
    assert.deepEqual([again.status, again.body.Description], [409, initiated]);

    bed.app.clock.advance(60_000);
    const link = await linkTo('b@example.net');
    assert.ok(link.startsWith(`https://${HOST}/c/`), link);
    assert.deepEqual(await follow(link), {
      status: 302,
      location: 'https://shop.example/',
      serial: acme.issued[0]!.serialNumber,
    });
    const until = Date.now() + 90_000;
    while ((await clicksOf('b@example.net')) === 0 && Date.now() < until) await new Promise((go) => setTimeout(go, 50));
    assert.equal(await clicksOf('b@example.net'), 1);
    assert.ok(await refusedHandshake('email.example.org'));
    assert.equal((await follow(`https://${HOST}/.well-known/acme-challenge/nothing`)).status, 404);
    const { rows } = await bed.app.galley.outside.db.text('select sealed_key from tracking_certificates');
    assert.match((rows[0] as { sealed_key: string }).sealed_key, /^v1\./);
  });

  it('is renewed before it ends, and stays while the authority fails', async () => {
    await pass(50 * DAY_MS);
    assert.equal(acme.issued.length, 1);
    acme.refusals.set('newAccount', { status: 503, type: 'serverInternal', detail: 'out of order' });
    await pass(12 * DAY_MS);
    const failing = await statusOf();
    assert.equal(failing.status, 'active');
    assert.equal(failing.error, 'The authority refused with 503: out of order (serverInternal)');
    acme.refusals.clear();
    await pass(DAY_MS);
    assert.equal(acme.issued.length, 2);
    const { status, error, certificate } = await statusOf();
    assert.deepEqual([status, error], ['active', null]);
    assert.equal(new X509Certificate(certificate).serialNumber, acme.issued[1]!.serialNumber);
    bed.app.clock.advance(60_000);
    const { serial } = await follow(`https://${HOST}/c/nothing`);
    assert.equal(serial, acme.issued[1]!.serialNumber);
  });

  it('is not asked for again where the host is another’s, and ends with its domain', async () => {
    const asked = acme.asked.length;
    bed.zone[HOST] = { CNAME: ['elsewhere.example'] };
    await pass(70 * DAY_MS);
    assert.equal(acme.asked.length, asked);
    assert.equal((await statusOf()).error, `DNS does not lead from ${HOST} to this service.`);
    await pass(30 * DAY_MS);
    const ended = await statusOf();
    assert.equal(ended.status, 'expired');
    assert.ok(await refusedHandshake(HOST), 'an expired certificate is not served');
    await bed.app.call(`DELETE /v3/domains/${DOMAIN}`);
    assert.equal((await call(`GET ${X509}/status`)).status, 404);
  });
});
