// Bounces in the dashboard: by class, with who said so, sample replies and what to do.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { gatheredFigures } from '../harness/gathered-figures.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, openBrowser, openTab, savedFile, sees, signIn, visit } from './chromium.ts';

const DOMAIN = 'news.example.com';
const REPLIES = [
  [6, 'permanent', 'google', '550 5.1.1 <bob@gmail.example>: The email account does not exist'],
  [4, 'permanent', '', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org'],
  [9, 'temporary', 'google', '421 4.7.28 Gmail has detected an unusual rate of unsolicited mail'],
  [3, 'permanent', 'google', '550 5.7.26 This mail has been blocked because the sender is unauthenticated'],
  [2, 'permanent', 'yahoo', '552 5.2.2 The mailbox is over quota'],
] as const;

let app: App;
let browser: Browser;
let page: Page;

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api,work,send' }), openBrowser(), buildDashboard()]);
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  ({ page } = await openTab(browser));
  await signIn(page, app, '/bounces');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('bounces in the dashboard', () => {
  it('says so when there are none', async () => {
    await sees(page, 'No bounces in this time');
    await assertFlawless(page, 'bounces-empty');
  });

  it('shows classes with their counts, who said so, what was said and what to do', async () => {
    const { outside } = app.galley;
    const { id: accountId } = await outside.db.ofAnyone.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
    const at = new Date(outside.clock.now().getTime() - 60_000);
    const told = REPLIES.flatMap(([count, severity, provider, message]) =>
      Array.from({ length: count }, (_unused, place) => ({
        at,
        accountId,
        event: 'failed' as const,
        severity,
        reason: 'bounce',
        domain: DOMAIN,
        recipient: `r${place}@gmail.example`,
        provider,
        code: Number(message.slice(0, 3)),
        about: { 'delivery-status': { 'enhanced-code': message.split(' ')[1], message } },
      })),
    );
    await outside.db.tx((tx) => outside.events.append(tx, told));
    await gatheredFigures(app);
    await visit(page, `${app.url}/bounces?days=30&domain=${DOMAIN}`);
    await sees(page, '15 bounces, 9 delays in 5 classes');
    await sees(page, 'needs attention');
    await sees(page, 'Spamhaus');
    await sees(page, 'blocked using zen.spamhaus.org');
    await sees(page, 'What to do:');
    const names = await page.$$eval('main section h2', (found) => found.map(({ textContent }) => textContent));
    assert.deepEqual(names, ['Blocklisting', 'Authentication', 'Rate limit', 'Unknown recipient', 'Full mailbox']);
    const [head, first, ...others] = (await savedFile(page, 'CSV of bounce classes')).trimEnd().split('\r\n');
    assert.equal(head, '\ufeffclass,needs attention,who,bounces,delays,what to do,sample reply');
    assert.match(first!, /^Blocklisting,yes,Spamhaus,4,0,.*blocked using zen\.spamhaus\.org"$/);
    assert.equal(others.length, 4);
    await page.locator('main section:last-of-type summary').click();
    await sees(page, '552 5.2.2 The mailbox is over quota');
    await assertFlawless(page, 'bounces');
  });
});
