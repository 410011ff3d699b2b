// Postmaster data in the dashboard: before any, with a month of it, and with a connection whose access ends.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import {
  makeServiceAccount,
  startGoogle,
  startSnds,
  type ProviderServer,
} from '../../src/features/monitor/postmaster/providers.fixture.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { buildDashboard, by, faults, fill, openBrowser, openTab, sees, setScheme, visit } from './chromium.ts';

const DAYS = 29;
const GAP = [9, 10, 17];
const now = new Date();
const day = (back: number): string => new Date(now.getTime() - back * 86_400_000).toISOString().slice(0, 10);
const { keyFile, publicKey } = makeServiceAccount();

let app: App;
let google: ProviderServer;
let snds: ProviderServer;
let browser: Browser;
let page: Page;
let folder: string;

/** A figure of each day but those of the gap; a wave, so that every day differs. */
const wave = (middle: number, height: number): Record<string, number> =>
  Object.fromEntries(
    Array.from({ length: DAYS }, (_, place) => place + 1)
      .filter((back) => !GAP.includes(back))
      .map((back) => [day(back), Number((middle + height * Math.sin(back * 1.7)).toFixed(6))]),
  );

const FIGURES = {
  'shop.example': {
    spam: { ...wave(0.0016, 0.0012), [day(6)]: 0.0041 },
    spf: wave(0.985, 0.012),
    dkim: wave(0.991, 0.006),
    dmarc: wave(0.975, 0.02),
    tls: wave(0.999, 0.001),
    error: wave(0.02, 0.015),
  },
  'news.example': { spam: wave(0.0004, 0.0003) },
};

const met = (requirement: string, status = 'COMPLIANT') => ({ requirement, status: { status } });
const COMPLIANCE = {
  'shop.example': {
    complianceData: {
      domainId: 'shop.example',
      rowData: [
        met('SPF_AND_DKIM'),
        met('DMARC_POLICY', 'NEEDS_WORK'),
        met('DNS_RECORDS'),
        met('ENCRYPTION'),
        met('USER_REPORTED_SPAM_RATE', 'STATE_UNSPECIFIED'),
      ],
      oneClickUnsubscribeVerdict: { status: { status: 'NEEDS_WORK' }, reason: 'NO_UNSUB_GENERAL' },
      honorUnsubscribeVerdict: { status: { status: 'COMPLIANT' } },
    },
  },
};

const RESULTS = ['GREEN', 'GREEN', 'YELLOW', 'GREEN', 'RED'];
const reports = Object.fromEntries(
  Array.from({ length: DAYS }, (_, place) => place + 1)
    .filter((back) => !GAP.includes(back))
    .map((back) => [
      day(back),
      ['192.0.2.1', '192.0.2.2'].map((ipAddress, place) => ({
        ipAddress,
        messageRecipients: 3000 + place * 900 + ((back * 331) % 1700),
        filterResult: RESULTS[(back + place) % RESULTS.length],
        complaintRate: back % 5 === 0 ? '0.3%' : '< 0.1%',
        trapHits: (back * 7) % 4,
      })),
    ]),
);

/** Deliveries to Google in the log, of each day, those of the gap too. */
async function tellEvents(): Promise<void> {
  const { db, events } = app.galley.outside;
  const { id: accountId } = await db.ofAnyone
    .selectFrom('accounts')
    .select('id')
    .where('parentId', 'is', null)
    .executeTakeFirstOrThrow();
  for (let back = 1; back <= DAYS; back += 1) {
    const shared = {
      at: new Date(`${day(back)}T12:00:00Z`),
      accountId,
      domain: 'shop.example',
      provider: 'google',
      recipient: 'reader@gmail.com',
    };
    const kinds = [
      ...Array.from({ length: 120 + ((back * 17) % 60) }, () => ({ event: 'delivered' as const })),
      ...Array.from({ length: (back * 3) % 5 }, () => ({
        event: 'failed' as const,
        severity: 'permanent' as const,
        reason: 'bounce',
        code: 550,
      })),
      ...(back % 4 === 0 ? [{ event: 'complained' as const }] : []),
    ];
    await events.append(
      db,
      kinds.map((kind, place) => ({ ...shared, ...kind, messageId: String(back * 1000 + place) })),
    );
  }
}

/** Both schemes, at the width of a desk and of a phone. */
async function assertFlawless(name: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await setScheme(page, scheme);
    for (const width of [1440, 390]) {
      await page.setViewport({ width, height: 900 });
      assert.deepEqual(await faults(page), [], `${name} ${scheme} ${width}`);
      const isNarrow = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
      assert.equal(isNarrow, true, `${name} scrolls sideways at ${width}`);
      const pictures = process.env['GALLEY_TEST_PICTURES'];
      if (pictures) await page.screenshot({ path: `${pictures}/${name}-${scheme}-${width}.png`, fullPage: true });
    }
  }
  await page.setViewport({ width: 1280, height: 800 });
  await setScheme(page, 'light');
}

/** The field below a label. */
async function fillLabel(label: string, text: string): Promise<void> {
  await fill(page, by('textbox', label), text);
}

async function chooseFile(name: string, content: string): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, content);
  const input = await page.waitForSelector('[role=dialog] input[type=file]');
  assert.ok(input);
  await input.uploadFile(path);
}

const rowOf = (date: string): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('section[aria-labelledby=figures-by-day] tbody tr')]` +
      `.map((row) => [...row.cells].map((cell) => cell.innerText.trim()))` +
      `.find(([first]) => first === ${JSON.stringify(date)})`,
  ) as Promise<string[]>;
const dayWords = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-postmaster-'));
  google = await startGoogle({
    publicKey,
    figures: FIGURES,
    closed: ['closed.example'],
    page: 100,
    compliance: COMPLIANCE,
  });
  snds = await startSnds({ reports, status: '192.0.2.2,192.0.2.2,Yes,Evidence of spamming\r\n', refreshToken: 'x' });
  [app, browser] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api,work', GALLEY_ALLOW_HOSTS: `${google.host},${snds.host}` }),
    openBrowser(),
    buildDashboard(),
  ]);
  ({ page } = await openTab(browser));
  await visit(page, `${app.url}/postmaster`);
  await fill(page, 'input[name=key]', app.key);
  await page.locator(by('button', 'Sign in')).click();
  await sees(page, 'No connections yet');
});
after(async () => {
  await browser?.close();
  await app?.close();
  await Promise.all([google?.close(), snds?.close()]);
  await rm(folder, { recursive: true, force: true });
});

describe('postmaster data in the dashboard', () => {
  it('says what to do before there is any', async () => {
    await sees(page, 'No data of Google yet');
    await assertFlawless('postmaster-empty');
  });

  it('connects Google by the key of a service account, and names the field that is wrong', async () => {
    await tellEvents();
    await page.locator(by('button', 'New connection')).click();
    await page.locator(by('button', 'Connect')).click();
    await sees(page, 'service_account is required');
    await chooseFile('key.json', JSON.stringify(keyFile));
    await fillLabel('Name (optional)', 'Shop');
    await page.locator('[role=dialog] summary').click();
    await fillLabel('Address of the service', google.url);
    await fillLabel('Address of tokens', `${google.url}/token`);
    if (process.env['GALLEY_TEST_PICTURES']) await assertFlawless('postmaster-connect');
    await page.locator(by('button', 'Connect')).click();
    await sees(page, 'reader@project.iam.gserviceaccount.com');
    await sees(page, 'connected');
    await sees(page, 'Google does not let the service account read figures of closed.example.');
    await app.idle();
  });

  it('shows a month beside own figures: a day without data is a gap, no zero', async () => {
    await visit(page, `${app.url}/postmaster?of=shop.example`);
    await sees(page, 'limit: 0.30 %');
    const [one, gap] = [await rowOf(dayWords(day(6))), await rowOf(dayWords(day(9)))];
    assert.deepEqual(one.slice(1, 3), ['0.41 %', '0.00 %']);
    assert.equal(one.at(-1), 'low, by Galley');
    assert.deepEqual(gap.slice(1), ['no data']);
    // Lines begin anew behind each of two gaps.
    const path = await page.$eval('figure [data-line=solid] path', (line) => line.getAttribute('d'));
    assert.equal(path?.match(/M/g)?.length, 3);
    await sees(page, 'Most messages have no one-click unsubscribe.');
    await assertFlawless('postmaster-google');
  });

  it('connects SNDS by its links, and shows results, traps and what is blocked', async () => {
    await page.locator(by('button', 'New connection')).click();
    await page.locator('label ::-p-text(Microsoft by link)').click();
    await fillLabel('Link of the data', `${snds.url}/data.aspx?key=abc`);
    await fillLabel('Link of the IP status (optional)', `${snds.url}/ipStatus.aspx?key=abc`);
    await page.locator(by('button', 'Connect')).click();
    await sees(page, 'Its link ends');
    await app.idle();
    await visit(page, `${app.url}/postmaster?provider=snds&of=192.0.2.2`);
    await sees(page, 'Evidence of spamming');
    assert.deepEqual((await rowOf(dayWords(day(9)))).slice(1), ['no data']);
    const open = await page.$$eval('nav[aria-label=Providers] [aria-current=page]', (tabs) =>
      tabs.map(({ textContent }) => textContent),
    );
    assert.deepEqual(open, ['Microsoft SNDS']);
    await assertFlawless('postmaster-snds');
  });

  it('keeps an upload, and names the rows that it left out', async () => {
    await page.locator(by('link', 'Yahoo')).click();
    await sees(page, 'No data of Yahoo yet');
    await page.locator(by('button', 'Upload an export')).click();
    const rows = [12, 11, 9, 8].map((back) => `${day(back)};shop.example;0,0${back} %;${back * 1000}`);
    await chooseFile('yahoo.csv', ['Date;Domain;Spam rate;Delivered', ...rows, 'soon;shop.example;1 %;5'].join('\r\n'));
    await page.locator(by('button', 'Upload')).click();
    await sees(page, '4 records kept');
    await sees(page, '1 row was left out:');
    await sees(page, 'Row 6: date "soon" is not a day; give it as 2026-11-22 or 22.11.2026.');
    if (process.env['GALLEY_TEST_PICTURES']) await assertFlawless('postmaster-upload');
    await page.locator(by('button', 'Done')).click();
    await sees(page, 'Figures by day');
    assert.deepEqual((await rowOf(dayWords(day(11)))).slice(1, 2), ['0.01 %']);
    await assertFlawless('postmaster-yahoo');
  });

  it('says that access has ended, reads again, and forgets a connection', async () => {
    google.fail(/^\/token$/, 400, { body: '{"error":"invalid_grant"}' });
    await visit(page, `${app.url}/postmaster`);
    await page.locator(by('button', 'Read now: Shop')).click();
    await sees(page, 'Google Postmaster Tools no longer grants access (invalid_grant).');
    await sees(page, 'expired');
    await assertFlawless('postmaster-expired');
    await page.locator(by('button', 'Read now: Shop')).click();
    await sees(page, 'Google does not let the service account read figures of closed.example.');
    await page.locator(by('button', 'Delete Shop')).click();
    await page.locator(by('button', 'Delete')).click();
    await page.waitForSelector('[aria-label="Delete Shop"]', { hidden: true });
    const { items } = (await app.call('GET /v1/galley/postmaster/connections')).body;
    assert.deepEqual(
      items.map(({ name }: { name: string }) => name),
      ['Microsoft SNDS'],
    );
  });
});
