// A Galley whose account has one of everything, so that no page of the dashboard is empty.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSite, type Site } from '../harness/link-playground.ts';
import { addIps, ALL, firstAccount } from '../../src/features/send/dynamic-pools/bed.fixture.ts';
import { startApp, type App } from '../harness/start-app.ts';

const LOGO = join(import.meta.dirname, '../../docs/example/images/logo.png');

const PERSON = { email: 'ann@shop.example', password: 'plum orchard lantern' };

export interface FilledAccount {
  app: App;
  ids: {
    test: string;
    gate: string;
    result: string;
    list: string;
    spam: string;
    domain: string;
    message: string;
    sandboxMessage: string;
    schedule: string;
    email: string;
    capture: string;
  };
  /** Somebody who signs in by password. */
  person: typeof PERSON;
  close(): Promise<void>;
}

function letter(origin: string): string {
  return `<html><body><h1>Garden notes</h1><p style="color:#bbbbbb">Pale words that few can read.</p>
<a href="${origin}/letter">Read the letter about the garden</a> <a href="${origin}/gone">Gone</a><img src="${origin}/logo.png" width="160"></body></html>`;
}

async function openSite(): Promise<Site> {
  const logo = await readFile(LOGO);
  return startSite({
    handle({ url }, response) {
      if (url === '/logo.png') response.writeHead(200, { 'content-type': 'image/png' }).end(logo);
      else if (url === '/letter') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Letter</h1>');
      else response.writeHead(404).end();
    },
  });
}

/** A report of yesterday: what passes, and what fails from an address that nothing names. */
function dmarcReport(domain: string, now: Date): FormData {
  const begin = (Math.floor(now.getTime() / 86_400_000) - 1) * 86_400;
  const record = (ip: string, result: string): string =>
    `<record><row><source_ip>${ip}</source_ip><count>40</count><policy_evaluated><disposition>none</disposition>` +
    `<dkim>${result}</dkim><spf>${result}</spf></policy_evaluated></row><identifiers><header_from>${domain}` +
    `</header_from></identifiers><auth_results><spf><domain>${domain}</domain><result>${result}</result></spf>` +
    '</auth_results></record>';
  const xml =
    '<feedback><report_metadata><org_name>receiver.example</org_name><report_id>1</report_id><date_range>' +
    `<begin>${begin}</begin><end>${begin + 86_399}</end></date_range></report_metadata><policy_published>` +
    `<domain>${domain}</domain><p>none</p></policy_published>${record('192.0.2.1', 'pass')}` +
    `${record('203.0.113.9', 'fail')}</feedback>`;
  const form = new FormData();
  form.set('file', new Blob([xml]), 'report.xml');
  return form;
}

async function fill(app: App, origin: string): Promise<FilledAccount['ids']> {
  const begin = async (operation: string, body: object): Promise<any> => {
    const answer = await app.call(operation, { body });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const html = letter(origin);
  const checks = { link_validation: true, image_validation: true, accessibility: true, code_analysis: true };
  const test = await begin('POST /v2/preview/tests', {
    subject: 'Garden notes',
    html,
    clients: ['gmail_chrome', 'ol2021'],
    content_checking: checks,
    reference_id: 'issue-19',
  });
  const gate = await begin('POST /v1/inspect/gate', {
    html,
    checks: ['screenshots', 'accessibility'],
    clients: ['gmail_chrome'],
    policy: { limits: { html_bytes_max: 100 } },
  });
  const sandbox = (await app.call('GET /v4/domains')).body.items.find(
    ({ type }: { type: string }) => type === 'sandbox',
  ).name;
  const result = await begin('POST /v4/inbox/tests', {
    from: `news@${sandbox}`,
    subject: 'Garden notes',
    html,
    seeds_per_provider: 1,
  });
  const list = await begin('POST /v4/inbox/seedlists', { name: 'Weekly', seeds_per_provider: 1 });
  const spam = await begin('POST /v1/inspect/spam', { html, subject: 'Garden notes', from: `news@${sandbox}` });
  const sent = { from: `news@${sandbox}`, to: 'reader@example.net', subject: 'Garden notes', html };
  const { id } = await begin(`POST /v3/${sandbox}/messages`, sent);
  const queued = await app.call(`GET /v1/galley/queue/deliveries?message=${encodeURIComponent(id)}`);
  const told = await begin('POST /v1/dmarc/reports', dmarcReport(sandbox, app.clock.now()));
  assert.equal(told.accepted.length, 1, JSON.stringify(told));
  await begin('POST /v5/accounts/subaccounts', { name: 'Acme newsletters' });
  const limited = { metric: 'email_preview_success_count', comparator: '>=', limit: '100', dimension: 'subaccount' };
  await begin('POST /v1/thresholds/limits', { ...limited, name: 'previews a month' });
  const watched = { metric: 'hard_bounce_rate', comparator: '>', limit: '0.02', dimension: 'domain' };
  await begin('POST /v1/thresholds/alerts/send', { ...watched, name: 'bounces' });
  await addIps(app, await firstAccount(app));
  await begin('POST /v3/dynamic_pools/all', ALL);
  await begin('POST /v4/domains', { name: 'letters.example.com' });
  await begin('POST /v3/domains/letters.example.com/dynamic_pools', { replacement_ip: 'shared' });
  const nights = { mode: 'on', time_zone: 'Europe/Berlin', quiet_hours: { from: '20:00', until: '08:00' } };
  await begin('PUT /v1/galley/domains/letters.example.com/calendar', nights);
  await begin('PUT /v1/galley/domains/letters.example.com/breaker', { mode: 'on' });
  await begin('PUT /v1/galley/sending_limits', { scope: 'account', period: 'day', max: 100_000 });
  const { invitation } = await begin('POST /v5/users', { email: PERSON.email, name: 'Ann Marsh', role: 'admin' });
  const token = invitation.url.split('#')[1];
  await begin('POST /v5/users/links/use', { token, password: PERSON.password });
  await begin('POST /v4/templates', { name: 'welcome', template: '<p>Hello {{name}}</p>' });
  await begin('POST /v4/templates/welcome/versions', { tag: 'short', template: '<p>Hi {{name}}</p>' });
  await begin('POST /v3/routes', {
    description: 'Replies to orders',
    expression: 'match_recipient("orders@") and match_header("Subject", "(?i).*late")',
    action: ['forward("https://shop.example.com/mail/of/customers/that/have/an/order")', 'stop()'],
  });
  const readers = `readers@${sandbox}`;
  await begin('POST /v3/lists', { address: readers, name: 'Readers' });
  await begin(`POST /v3/lists/${readers}/members`, { address: 'ann@example.net', name: 'Ann' });
  const watching = { name: 'Letter', at: '09:00', page: { url: `${origin}/letter` } };
  const schedule = await begin('POST /v1/schedules', watching);
  await begin(`POST /v1/schedules/${schedule.id}/run`, {});
  const email = await begin('POST /v1/emails', {
    html: '<p>Hello <img src="a.png"></p>',
    folder: 'Letters',
    tags: ['may'],
  });
  await begin(`POST /v1/emails/${email.id}/versions/1/tests`, { tests: ['code'] });
  await begin('POST /v1/sandbox', { name: 'shop-tests' });
  const kept = await begin('POST /v1/sandbox/shop-tests/messages', sent);
  await app.idle();
  const shot = new FormData();
  for (const [name, value] of Object.entries({
    test_id: test.id,
    client: 'gmail_chrome',
    client_version: 'Chrome 142',
    os: 'Windows 11',
    who: 'Ann Marsh',
  }))
    shot.set(name, value);
  shot.set('picture', new Blob([await readFile(LOGO)]), 'shot.png');
  const capture = await begin('POST /v2/preview/captures', shot);
  const { content_checking: found } = (await app.call(`GET /v2/preview/tests/${test.id}`)).body;
  await begin(`POST /v1/inspect/images/${found.image_validation.items.id}/optimize`, {});
  await app.idle();
  return {
    test: test.id,
    gate: gate.items.id,
    result: result.result_id,
    list: list.target_email,
    spam: spam.item.id,
    domain: sandbox,
    message: queued.body.items[0].message.storage_key,
    sandboxMessage: kept.sandbox_message_id,
    schedule: schedule.id,
    email: email.id,
    capture: capture.id,
  };
}

/** Starts it. Close it after the tests. */
export async function fillAccount(): Promise<FilledAccount> {
  const site = await openSite();
  const app = await startApp({ GALLEY_ALLOW_HOSTS: `127.0.0.1:${site.port}`, GALLEY_ROLES: 'api,work,mail' });
  const ids = await fill(app, site.origin);
  return {
    app,
    ids,
    person: PERSON,
    async close() {
      await app.close();
      await site.close();
    },
  };
}
