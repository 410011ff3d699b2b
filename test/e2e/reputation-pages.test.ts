// Reputation, trends and Traps in the dashboard: before anything was sent, and with a month of it.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, ElementHandle, Page } from 'puppeteer-core';
import type { NewEvent } from '../../src/platform/event-log/index.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

const DAY_MS = 86_400_000;
const DAYS = 29;
const TYPES = ['pristine', 'recycled', 'typo', 'harvested'];
let app: App;
let browser: Browser;
let page: Page;

/** Of each day back, what two domains sent from two addresses: it grew worse. */
function eventsOf(accountId: string, back: number): NewEvent[] {
  const at = new Date(app.clock.now().getTime() - back * DAY_MS - 3_600_000);
  const events: NewEvent[] = [];
  const tell = (count: number, place: number, event: Partial<NewEvent>): void => {
    const about = { envelope: { 'sending-ip': `192.0.2.${place + 1}` } };
    for (let one = 0; one < count; one += 1)
      events.push({
        at,
        accountId,
        domain: place === 0 ? 'letters.example.com' : 'shop.example.com',
        recipient: `r${one}@example.net`,
        messageId: String(back * 10_000 + events.length + 1),
        event: 'delivered',
        ...event,
        about: { ...about, ...event.about },
      });
  };
  const bounced = { event: 'failed', severity: 'permanent', reason: 'bounce', code: 550 } as const;
  const about = { 'delivery-status': { code: 550, 'enhanced-code': '5.1.1', 'bounce-type': 'hard' } };
  for (const place of [0, 1]) {
    tell(260 + ((back * 37) % 90), place, { code: 250 });
    tell(place * (DAYS - back) + 3, place, { ...bounced, about });
    tell(Math.max(0, 12 - back) * place, place, { event: 'complained' });
  }
  return events;
}

/** Four placement tests of twenty mailboxes, and of a receiver of Galley's own: two of the last week got worse. */
async function writePlacement(): Promise<void> {
  const { db } = app.galley.outside;
  const account = await db.ofAnyone.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const own = db.of(account.id);
  const tests = [
    [20, 18, 4],
    [12, 18, 4],
    [5, 6, 3],
    [1, 5, 0],
  ] as const;
  for (const [back, inInbox, simulated] of tests) {
    const at = new Date(app.clock.now().getTime() - back * DAY_MS);
    const resultId = `placed-${back}`;
    const expiresAt = new Date(at.getTime() + 91 * DAY_MS);
    await own
      .insert('placementResults', {
        resultId,
        rid: resultId,
        targetEmail: 'ibp-weekly@galley.test',
        seedListName: 'Weekly',
        status: 'complete',
        subject: 'Letter',
        sender: 'news@shop.example.com',
        createdAt: at,
        updatedAt: at,
        expiresAt,
      } as never)
      .execute();
    const delivery = (place: number, seedKind: string, isInInbox: boolean) => ({
      token: `${resultId}-${seedKind}-${place}`,
      kind: 'placement',
      testId: resultId,
      place,
      seedKind,
      seedId: `s${place}`,
      provider: 'mail.example',
      email: `${seedKind}-${place}@mail.example`,
      state: 'delivered',
      placement: isInInbox ? 'inbox' : 'spam',
      touchedAt: at,
      settledAt: at,
      queuedAt: at,
      deadlineAt: at,
      expiresAt,
    });
    const real = Array.from({ length: 20 }, (_, place) => delivery(place, 'mailbox', place < inInbox));
    const rules = simulated === 0 ? [] : [0, 1, 2, 3].map((place) => delivery(place, 'receiver', place < simulated));
    await own.insert('seedDeliveries', [...real, ...rules] as never).execute();
  }
}

const dayBack = (back: number): string =>
  new Date(app.clock.now().getTime() - back * DAY_MS - 3_600_000).toISOString().slice(0, 10);

function reportOfTraps(): string {
  const rows = Array.from({ length: DAYS }, (_, back) => {
    const type = TYPES[(back * 7) % 4];
    return `${dayBack(back)},${type},${1 + ((back * 5) % 9)},shop.example.com,Offer ${back},192.0.2.2,x@shop.example.com`;
  });
  return ['date,type,hits,domain,subject,ip,from', ...rows, 'soon,typo,1,,,,'].join('\n');
}

before(async () => {
  [app, browser] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api,work', GALLEY_EVENT_RETENTION_DAYS: '60' }),
    openBrowser(),
    buildDashboard(),
  ]);
  ({ page } = await openTab(browser));
  await signIn(page, app, '/reputation');
  await sees(page, 'Nothing was sent in the last 30 days');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('Reputation in the dashboard', () => {
  it('says that nothing was sent, and leads to what providers count', async () => {
    await sees(page, 'Postmaster data');
    await assertFlawless(page, 'reputation-empty');
  });

  it('shows the score, what costs how much of it, and where', async () => {
    const { db, events } = app.galley.outside;
    const account = await db.ofAnyone.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
    for (let back = 0; back < DAYS; back += 1) await db.tx((tx) => events.append(tx, eventsOf(account.id, back)));
    await db.tx((tx) =>
      events.append(
        tx,
        eventsOf(account.id, 0)
          .slice(0, 7)
          .map((event) => ({ ...event, recipient: 'x@gmial.com' })),
      ),
    );
    // The log shows what is older than two seconds.
    app.clock.advance(10_000);
    await visit(page, `${app.url}/reputation`);
    await sees(page, 'hard bounces');
    await sees(page, "the large providers' limit is 0.1 %");
    await sees(page, 'not measured, because no spam trap is set up');
    await page.waitForSelector('svg[aria-label^="Health score by day"] circle');
    const drawn = await page.$$eval('svg[aria-label^="Health score by day"] circle', (dots) => dots.length);
    assert.ok(drawn >= DAYS, `${drawn} days are drawn`);
    await sees(page, 'shop.example.com');
    await assertFlawless(page, 'reputation');
    await page.locator('label ::-p-text(IP)').click();
    await sees(page, '192.0.2.2');
    const rows = await page.$$eval('[aria-label="IP, table"] tbody tr', (found) => found.length);
    assert.equal(rows, 2);
  });

  it('what got worse stands in the overview, with its numbers and the way to mend it', async () => {
    await writePlacement();
    await visit(page, `${app.url}/monitor`);
    await sees(page, 'Fewer messages are delivered');
    await sees(page, 'More addresses bounce');
    await sees(page, 'More readers complain');
    const said = await page.$eval('[aria-label="Rates that got worse"]', (list) => list.textContent ?? '');
    assert.match(
      said,
      /% \([\d,]+ of [\d,]+\) in the last 7 days, [\d.]+ % \([\d,]+ of [\d,]+\) in the 28 days before/,
    );
    await sees(page, 'No open alerts.');
    await sees(page, 'Fewer test messages reach the inbox');
    assert.match(said, /27\.5 % \(11 of 40 at 20 mailboxes\) in the last 7 days, 90\.0 % \(36 of 40 at 20 mailboxes\)/);
    const rates = await page.$eval('[aria-label="Rates, table"]', (table) => table.textContent ?? '');
    assert.match(rates, /In the inbox, real mailboxes27\.5 %11 of 40 at 20 mailboxes90\.0 %/);
    assert.match(rates, /In the inbox, simulated receivers75\.0 %3 of 4100\.0 %8 of 8by rules, not by chance/);
    await assertFlawless(page, 'overview-month');
  });
});

describe('Traps in the dashboard', () => {
  it('says that there are none', async () => {
    await visit(page, `${app.url}/traps`);
    await sees(page, 'No hits, and no traps');
    await assertFlawless(page, 'traps-empty');
  });

  it('are set up, and say what is wrong with a name', async () => {
    await page.locator('main ::-p-aria([name="New trap"][role="button"])').click();
    await fill(page, 'input[name=value]', 'nowhere');
    await page.locator(by('button', 'Set up')).click();
    await sees(page, 'must be an address or the name of a domain');
    await assertFlawless(page, 'trap-dialog');
    await fill(page, 'input[name=value]', 'trap.example.com');
    await page.locator(by('button', 'Set up')).click();
    await sees(page, 'Your traps');
    await sees(page, 'trap.example.com');
  });

  it('show a month of an imported report by type and day, and each hit with its source', async () => {
    await page.locator('main ::-p-aria([name="Import"][role="button"])').click();
    const input = (await page.waitForSelector('[role=dialog] input[type=file]')) as ElementHandle<never> & {
      uploadFile(path: string): Promise<void>;
    };
    const folder = await mkdtemp(join(tmpdir(), 'galley-traps-'));
    try {
      await writeFile(join(folder, 'network.csv'), reportOfTraps());
      await input.uploadFile(join(folder, 'network.csv'));
      await page.locator('[role=dialog] ::-p-aria([name="Import"][role="button"])').click();
      await sees(page, '1 row was left out');
    } finally {
      await rm(folder, { recursive: true });
    }
    await assertFlawless(page, 'traps-report-dialog');
    await page.locator(by('button', 'Done')).click();
    await sees(page, 'Source: network.csv');
    await sees(page, 'gmial.com');
    const bars = await page.$$eval('svg[aria-label^="Spam trap hits by day"] rect', (found) => found.length);
    assert.ok(bars >= DAYS, `${bars} days are drawn`);
    await assertFlawless(page, 'traps');
  });

  it('are removed', async () => {
    await page.locator(by('button', 'Remove trap.example.com')).click();
    await page.locator('[role=dialog] ::-p-aria([name="Remove"][role="button"])').click();
    await page.waitForFunction('!document.body.innerText.includes("Your traps")');
    assert.deepEqual((await app.call('GET /v1/spamtraps/traps')).body.items, []);
  });
});
