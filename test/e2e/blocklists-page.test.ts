// Blocklists in the dashboard: before anything is watched, with a month of listings, and the notes on one.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

const DAY_MS = 86_400_000;
const IPS = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '198.51.100.7', '2001:db8::25'];
const DOMAINS = ['example.com', 'news.example.org'];
const LISTS = {
  'zen.spamhaus.org': 'Spamhaus ZEN',
  'bl.spamcop.net': 'SpamCop',
  'b.barracudacentral.org': 'Barracuda',
  'dbl.spamhaus.org': 'Spamhaus DBL',
  'dnsbl-1.uceprotect.net': 'UCEPROTECT level 1',
};
type Zone = keyof typeof LISTS;

/** What happened, in days before now; null: it has not ended. */
const PAST: [asset: string, zone: Zone, from: number, to: number | null][] = [
  ['192.0.2.1', 'zen.spamhaus.org', 2.4, null],
  ['192.0.2.1', 'bl.spamcop.net', 3.1, null],
  ['192.0.2.1', 'bl.spamcop.net', 21.5, 19.2],
  ['192.0.2.2', 'bl.spamcop.net', 12.3, 11.1],
  ['192.0.2.2', 'b.barracudacentral.org', 26.2, 17.8],
  ['192.0.2.3', 'dnsbl-1.uceprotect.net', 14.6, 7.6],
  ['198.51.100.7', 'dnsbl-1.uceprotect.net', 5.4, null],
  ['example.com', 'dbl.spamhaus.org', 1.2, null],
  ['news.example.org', 'dbl.spamhaus.org', 24.9, 22.4],
];

let app: App;
let browser: Browser;
let page: Page;

const kindOf = (asset: string) => (asset.includes(':') ? 'ip6' : /^[\d.]+$/.test(asset) ? 'ip4' : 'domain');
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** As sweeps of a month leave it. */
async function writeMonth(): Promise<void> {
  const { db } = app.galley.outside;
  const { rows } = await db.text('select id from accounts limit 1');
  const { id: account } = rows[0] as { id: string };
  const own = db.of(account);
  for (const ip of IPS) assert.equal((await app.call('POST /v1/optimize/ip_addresses', { body: { ip } })).status, 201);
  // The addresses above are watched through the interface, so that they can be removed there.
  await own.deleteFrom('blocklistTargets').execute();
  for (const name of [...IPS, ...DOMAINS])
    await own
      .insert('blocklistTargets', {
        id: `target-${name}`,
        kind: kindOf(name),
        name,
        createdAt: daysAgo(40),
        checkedAt: daysAgo(0.01),
        dueAt: daysAgo(-1),
        nextAt: daysAgo(-1),
        result: {
          clean: kindOf(name) === 'ip4' ? 71 : 9,
          unknown: { 'dnsbl.example.net': 'did not answer in time' },
          ...(name === '192.0.2.3' && { allowed: { 'list.dnswl.org': 'a mail server, medium trust' } }),
        },
      })
      .execute();
  const changes = PAST.flatMap(([name, zone, from, to]) => [
    { name, zone, event: 'listed' as const, at: daysAgo(from) },
    ...(to === null ? [] : [{ name, zone, event: 'delisted' as const, at: daysAgo(to) }]),
  ]).toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const codes = [{ code: '127.0.0.2', meaning: 'a source of spam' }];
  for (const { name, zone, event, at } of changes)
    await own
      .insert('blocklistEvents', {
        kind: kindOf(name),
        name,
        zone,
        listName: LISTS[zone],
        event,
        at,
        codes,
        reason: null,
      })
      .execute();
  for (const [name, zone, from] of PAST.filter(([, , , to]) => to === null))
    await own
      .insert('blocklistListings', {
        targetId: `target-${name}`,
        zone,
        listName: LISTS[zone],
        state: 'listed',
        codes,
        reason: 'https://check.example/why',
        firstSeen: daysAgo(from),
        lastSeen: daysAgo(0.01),
        leftAt: null,
        delistRequestedAt: null,
        comments: [],
      })
      .execute();
}

before(async () => {
  [app, browser] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api', GALLEY_DNS_SERVERS: '8.8.8.8' }),
    openBrowser(),
    buildDashboard(),
  ]);
  ({ page } = await openTab(browser));
  await signIn(page, app, '/blocklists');
  await sees(page, 'Nothing is watched yet');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

const listing = 'article[aria-label="192.0.2.1 on Spamhaus ZEN"]';

describe('blocklists in the dashboard', () => {
  it('says that a public resolver is refused, and shows the record of a domain that is added', async () => {
    await sees(page, 'Blocklists are asked through 8.8.8.8 (Google), a public resolver');
    await fill(page, 'main form input', 'example.net');
    await page.locator(by('button', 'Watch')).click();
    await sees(page, 'example.net is watched once this record is published.');
    await assertFlawless(page, 'blocklists-empty');
    await fill(page, 'main form input', '10.0.0.1');
    await page.locator(by('button', 'Watch')).click();
    await sees(page, 'It was not added');
  });

  it('shows assets by lists, what each listing means, and a month', async () => {
    await writeMonth();
    await visit(page, `${app.url}/blocklists`);
    for (const text of [
      '4 listings',
      'a source of spam (127.0.0.2)',
      'Stop the spam: the entry goes by itself about a day after the last report.',
      'Rspamd asks it in its default configuration.',
      'in good standing',
      'The last 30 days',
    ])
      await sees(page, text);
    const rows = await page.$$eval('main section[aria-label=Assets] tbody tr', (all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent)),
    );
    assert.deepEqual(rows[0]?.slice(0, 2), ['192.0.2.1', 'on 2']);
    assert.equal(rows.length, IPS.length + DOMAINS.length);
    const changes = await page.$$eval('section[aria-label="The last 30 days"] tbody tr', (all) => all.length);
    assert.equal(changes, PAST.length + PAST.filter(([, , , to]) => to !== null).length);
    await assertFlawless(page, 'blocklists');
  });

  it('notes that removal was requested, and a comment', async () => {
    await visit(page, `${app.url}/blocklists?asset=192.0.2.1`);
    await sees(page, '1 list gave no answer that counts');
    await page.locator(`${listing} ::-p-text(Removal was requested)`).click();
    await sees(page, 'Removal requested');
    await fill(page, `${listing} textarea`, 'The form on their shop was closed.');
    await page.locator(`${listing} ::-p-text(Add comment)`).click();
    await page.waitForSelector(`${listing} ul[aria-label=Comments]`);
    const { body } = await app.call('GET /v1/optimize/ip_addresses/192.0.2.1');
    const [noted] = body.listed.filter(({ list }: { list: string }) => list === 'zen.spamhaus.org');
    assert.deepEqual(noted.comments, ['The form on their shop was closed.']);
    assert.notEqual(noted.delist_requested_at, '0001-01-01T00:00:00Z');
    await assertFlawless(page, 'blocklists-asset');
  });

  it('stops watching an address', async () => {
    await visit(page, `${app.url}/blocklists?asset=192.0.2.3`);
    await page.locator(by('button', 'Stop watching')).click();
    await page.locator(`[role=dialog] ${by('button', 'Stop watching')}`).click();
    await page.waitForFunction('location.search === ""');
    const { body } = await app.call('GET /v1/galley/blocklists/assets');
    assert.equal(body.items.length, IPS.length + DOMAINS.length - 1);
    assert.equal((await app.call('GET /v1/optimize/ip_addresses/192.0.2.3')).status, 404);
  });
});
