// The certificate of a tracking host on the page of its domain: requested, refused, issued, and ended.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../src/platform/dns/index.ts';
import { startAcmeServer, type AcmeServer } from '../harness/acme-server.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

const DOMAIN = 'news.example.com';
const HOST = `email.${DOMAIN}`;
const TARGET = 'mail.example.com';
const DAY_MS = 86_400_000;
const zone: Record<string, DeclaredRecords> = {};
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
let acme: AcmeServer;
let app: App;
let browser: Browser;
let page: Page;
before(async () => {
  acme = await startAcmeServer();
  const settings = {
    GALLEY_ROLES: 'api,work',
    GALLEY_PUBLIC_URL: `https://${TARGET}`,
    GALLEY_ACME_TERMS: 'agreed',
    GALLEY_ACME_DIRECTORY: acme.directoryUrl,
    GALLEY_ALLOW_HOSTS: '127.0.0.0/8',
  };
  [app, browser] = await Promise.all([startApp(settings, { dns }), openBrowser(), buildDashboard()]);
  acme.validTo = () => new Date(app.clock.now().getTime() + 90 * DAY_MS);
  const { sending_dns_records: records } = (await app.call('POST /v4/domains', { body: { name: DOMAIN } })).body;
  for (const { name, value, record_type: type } of records) if (type !== 'CNAME') zone[name] = { [type]: [value] };
  await app.call(`PUT /v4/domains/${DOMAIN}/verify`);
  page = (await openTab(browser)).page;
  await signIn(page, app, `/domains/${DOMAIN}`);
});
after(async () => {
  await browser?.close();
  await app?.close();
  await acme?.close();
});

describe('the tracking certificate on the page of a domain', () => {
  it('is requested once DNS leads here', async () => {
    await sees(page, `need a certificate of ${HOST}. None was requested yet.`);
    await sees(page, 'Request certificate');
    await assertFlawless(page, 'domain-certificate-none');
    await page.locator(by('button', 'Request certificate')).click();
    await sees(page, 'No certificate was requested');
    await sees(page, `DNS does not lead from ${HOST} to this service.`);
  });

  it('says why none was issued, and is requested again', async () => {
    zone[HOST] = { CNAME: [TARGET] };
    acme.hostsAt.port = 1;
    await page.locator(by('button', 'Request certificate')).click();
    await sees(page, `There is no certificate of ${HOST} yet.`);
    await sees(page, 'What kept it from being issued');
    await sees(page, 'It is tried again');
    await sees(page, 'GALLEY_TRACKING_TLS_PORT is off');
    await assertFlawless(page, 'domain-certificate-refused');
    acme.hostsAt.port = Number(new URL(app.url).port);
    await page.locator(by('button', 'Request again')).click();
    await sees(page, `The certificate of ${HOST} is valid until`);
    await sees(page, 'It is renewed by itself, next');
    assert.equal(acme.issued.length, 1);
    await assertFlawless(page, 'domain-certificate-valid');
  });

  it('says that it ended', async () => {
    app.clock.advance(91 * DAY_MS);
    await visit(page, `${app.url}/login`);
    await signIn(page, app, `/domains/${DOMAIN}`);
    await sees(page, `The certificate of ${HOST} ended`);
    await sees(page, 'Request again');
    await assertFlawless(page, 'domain-certificate-ended');
  });
});
