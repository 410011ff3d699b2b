import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, ElementHandle, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import {
  buildDashboard,
  by,
  faults,
  fill,
  holds,
  openBrowser,
  openTab,
  paste,
  pictures,
  sees,
  setScheme,
  visit,
  type Tab,
} from './chromium.ts';

const HTML = `<!doctype html><html lang="en"><head><title>A spring letter</title><style>.card{border-radius:24px;background:#ffe08a;padding:24px}</style></head>
<body style="margin:0"><table role="presentation" width="100%"><tr><td class="card" align="center"><h1>Spring letter</h1><!--[if mso]><p>Outlook alone</p><![endif]--><p>Read before printing.</p></td></tr></table></body></html>`;
const CLIENTS = ['gmail_chrome', 'ol2021'];

let app: App;
let browser: Browser;
let tab: Tab;
let page: Page;
let testId: string;

async function go(path: string): Promise<void> {
  await visit(page, app.url + path);
}

async function signIn(key: string): Promise<void> {
  await fill(page, 'input[name=key]', key);
  await page.locator(by('button', 'Sign in')).click();
}

async function focused(): Promise<string> {
  return page.evaluate(
    '(document.activeElement?.getAttribute("aria-label") || document.activeElement?.textContent || ' +
      'document.activeElement?.tagName || "").trim()',
  ) as Promise<string>;
}

/** Tab by Tab, as someone without a mouse. */
async function tabTo(name: RegExp, stepsMax = 60): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < stepsMax; step++) {
    await page.keyboard.press('Tab');
    const now = await focused();
    if (name.test(now)) return;
    passed.push(now.slice(0, 30));
  }
  assert.fail(`${name} was not reached with Tab; passed ${passed.join(' › ')}`);
}

before(async () => {
  const [started, opened] = await Promise.all([startApp(), openBrowser(), buildDashboard()]);
  app = started;
  browser = opened;
  tab = await openTab(browser);
  page = tab.page;
});

after(async () => {
  await browser?.close();
  await app?.close();
});

describe('the dashboard', () => {
  it('asks for a key, refuses a wrong one beside the field, and leads on to the page that was wanted', async () => {
    await go('/keys');
    assert.equal(new URL(page.url()).pathname, '/sign-in');
    await signIn('key-of-nobody');
    await sees(page, 'This key is unknown, revoked or expired.');
    await signIn(app.key);
    await sees(page, 'API keys');
    assert.equal(new URL(page.url()).pathname, '/keys');
  });

  it('guides whoever has no tests yet', async () => {
    await go('/');
    await sees(page, 'Preview your first email');
    await sees(page, 'Or send an email to');
  });

  it('makes a test of pasted HTML, takes its title as subject, and shows each picture when it is ready', async () => {
    await page.locator(by('link', 'New test')).click();
    await paste(page, by('textbox', 'HTML of the message'), HTML);
    await holds(page, 'input[name=subject]', 'A spring letter');
    await fill(page, by('searchbox', 'Search clients'), 'gmail_chrome');
    await page.locator(by('button', 'Select only these')).click();
    await fill(page, by('searchbox', 'Search clients'), 'ol2021');
    await page.locator(by('checkbox', 'Outlook 2021')).click();
    await page.locator(by('button', 'Preview in 2 clients')).click();
    await page.waitForFunction('/^\\/previews\\/[0-9a-f]+$/.test(location.pathname)');
    testId = new URL(page.url()).pathname.split('/')[2] ?? '';
    await page.waitForFunction(
      '[...document.images].filter((image) => image.src.includes("full-thumbnail") && ' +
        'image.naturalWidth > 0).length === 2',
    );
    await sees(page, 'A spring letter');
    const test = await app.call(`GET /v2/preview/tests/${testId}`);
    assert.deepEqual([...test.body.completed].sort(), CLIENTS);
  });

  it('asks for small pictures in the size that is shown, and for large ones on sharp screens', async () => {
    const widths = async (): Promise<number[]> =>
      (
        await page.$$eval('article img', (images) =>
          images.map((image) => (image as unknown as { currentSrc: string }).currentSrc),
        )
      ).map((address) => Number(new URL(address).searchParams.get('width')));
    assert.ok(
      (await widths()).every((width) => width >= 120 && width <= 320),
      JSON.stringify(await widths()),
    );
    // Drawn in its own proportions: a browser that chooses the picture's size draws it 2 : 1 otherwise.
    const isWhole =
      '[...document.querySelectorAll("article img")].every((image) => image.dataset.shown && ' +
      'Math.abs(image.offsetHeight / image.offsetWidth - image.naturalHeight / image.naturalWidth) < 0.02)';
    await page.waitForFunction(isWhole);
    const sharp = await openTab(browser);
    await sharp.page.setCookie(...(await page.cookies()));
    await sharp.page.setViewport({ width: 1280, height: 800, deviceScaleFactor: 2 });
    await visit(sharp.page, `${app.url}/previews/${testId}`);
    await sharp.page.waitForFunction(
      '[...document.images].filter((image) => image.currentSrc.includes("width=480") && ' +
        'image.naturalWidth > 0).length === 2',
    );
    await sharp.close();
  });

  it('renames a test, and lists a page of tests with one request', async () => {
    await page.locator(by('button', 'More actions')).click();
    await page.locator(by('menuitem', 'Rename')).click();
    await holds(page, 'input[name=name]', 'A spring letter');
    await fill(page, 'input[name=name]', 'Spring, the second try');
    await page.locator(by('dialog', 'Rename this test')).waitHandle();
    await page.locator(by('button', 'Rename')).click();
    await page.waitForFunction('document.querySelector("h1")?.textContent === "Spring, the second try"');
    assert.equal((await app.call(`GET /v2/preview/tests/${testId}`)).body.name, 'Spring, the second try');
    const asked: string[] = [];
    const note = (request: { url(): string }): void =>
      void (new URL(request.url()).pathname.startsWith('/v') && asked.push(new URL(request.url()).pathname));
    page.on('request', note);
    await go('/previews');
    await sees(page, 'Spring, the second try');
    await page.waitForFunction(
      '[...document.images].some((image) => image.currentSrc.includes("thumbnail.webp") && image.naturalWidth > 0)',
    );
    page.off('request', note);
    assert.deepEqual(asked.filter((path) => path !== '/v1/session').toSorted(), [
      '/v1/previews/summary',
      '/v1/saved-views',
    ]);
    const renamed = await app.call(`PATCH /v2/preview/tests/${testId}`, { body: { name: 'A spring letter' } });
    assert.equal(renamed.status, 200);
    await go(`/previews/${testId}`);
  });

  it('filters the pictures, and remembers the filter in the address', async () => {
    await fill(page, by('searchbox', 'Search clients'), 'outlook');
    await sees(page, '1 of 2');
    assert.equal(await pictures(page, 'full-thumbnail'), 1);
    assert.equal(new URL(page.url()).searchParams.get('q'), 'outlook');
    await page.locator(by('button', 'Clear')).click();
    await sees(page, '2 clients');
  });

  it('shows one client at full size, zooms, and turns to its neighbors', async () => {
    await page.locator(by('link', 'Open Gmail (Chrome)')).click();
    const isWide = (width: number): Promise<unknown> =>
      page.waitForFunction(
        `document.querySelector('img[alt="The message in Gmail (Chrome), ` +
          `default"]')?.getBoundingClientRect().width === ${width}`,
      );
    await page.locator(by('button', '200 %')).click();
    await isWide(1600);
    await page.keyboard.press('1');
    await isWide(800);
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('img[alt="The message in Outlook 2021, default"]');
    await sees(page, 'Sources');
    await page.keyboard.press('Escape');
    await page.waitForFunction(`location.pathname === '/previews/${testId}'`);
  });

  it('compares two clients side by side, and measures how much differs', async () => {
    await page.locator(by('checkbox', 'Compare Gmail (Chrome)')).click();
    // The bar of the first choice lies over what is at the lower edge.
    const second = await page.waitForSelector(by('checkbox', 'Compare Outlook 2021'));
    await second!.evaluate((checkbox: any) => checkbox.scrollIntoView({ block: 'center' }));
    await page.locator(by('checkbox', 'Compare Outlook 2021')).click();
    await page.locator(by('button', 'Compare')).click();
    await page.waitForFunction('location.pathname.endsWith("/compare")');
    await page.waitForFunction(
      '[...document.images].filter((image) => image.src.includes("/default.png") && ' +
        'image.naturalWidth === 800).length === 2',
    );
    await page.locator('label ::-p-text(Difference)').click();
    await page.waitForFunction('/\\d %\\s+differ, in \\d+ place/.test(document.body.innerText)');
    const painted = await page.$eval('canvas', (canvas) => {
      const { width, height } = canvas as unknown as { width: number; height: number };
      return width * height;
    });
    assert.ok(painted >= 800 * 100);
    await go(`/previews/${testId}/compare?a=gmail_chrome&b=gmail_chrome&mode=difference`);
    await sees(page, 'No difference');
  });

  it('says what the service refuses beside the field that it is about', async () => {
    await go('/new');
    await page.locator(by('tab', 'Web address')).click();
    await fill(page, 'input[type=url]', 'ftp://example.com/letter.html');
    await page.locator(by('button', 'Preview in 2 clients')).click();
    await sees(page, 'must be an absolute http or https URL');
    assert.equal(await page.$eval('input[type=url]', (input) => input.getAttribute('aria-invalid')), 'true');
  });

  it('takes the subject of a message file, in any charset', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-eml-'));
    const file = join(folder, 'letter.eml');
    await writeFile(
      file,
      'From: a@example.com\r\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\n =?utf-8?B?IGF1cyBCZXJsaW4=?=\r\n' +
        'Content-Type: text/html\r\n\r\n<p>Hallo</p>\r\n',
    );
    await page.locator(by('tab', 'File')).click();
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<never> & {
      uploadFile(path: string): Promise<void>;
    };
    await input.uploadFile(file);
    await sees(page, 'letter.eml');
    await holds(page, 'input[name=subject]', 'Grüße aus Berlin');
    await rm(folder, { recursive: true });
  });

  it('shares a test with someone who has no key, until the link is switched off', async () => {
    await go(`/previews/${testId}`);
    await page.locator(by('button', 'Share')).click();
    await page.locator(by('button', 'Create a link')).click();
    const field = await page.waitForSelector(by('textbox', 'Link'));
    const link = (await field?.evaluate((input) => (input as unknown as { value: string }).value)) ?? '';
    const guest = await openTab(browser);
    await visit(guest.page, link);
    await sees(guest.page, 'A spring letter');
    await guest.page.waitForFunction(
      '[...document.images].filter((image) => image.src.includes("full-thumbnail") && ' +
        'image.naturalWidth > 0).length === 2',
    );
    assert.deepEqual(await faults(guest.page), []);
    await guest.page.locator(by('link', 'Open Outlook 2021')).click();
    await guest.page.waitForSelector('img[alt="The message in Outlook 2021, default"]');
    await page.locator(by('switch', 'Link enabled')).click();
    await page.waitForFunction('document.querySelector("[role=dialog] [role=switch]")?.checked === false');
    await visit(guest.page, link);
    await sees(guest.page, 'This link is no longer available');
    assert.deepEqual(guest.complaints, []);
    await guest.close();
  });

  it('makes a zip file of the pictures', async () => {
    await go(`/previews/${testId}`);
    await page.locator(by('button', 'Export')).click();
    await page.locator(by('button', 'Create zip file')).click();
    const link = await page.waitForSelector(by('link', 'Download again'));
    const address = (await link?.evaluate((anchor) => anchor.getAttribute('href'))) ?? '';
    const zip = await app.call(`GET ${address}`);
    assert.equal(zip.body.subarray(0, 2).toString(), 'PK');
  });

  it('makes a key, shows it once, and revokes it', async () => {
    await go('/keys');
    await page.locator(by('button', 'New key')).click();
    await fill(page, by('textbox', 'Name'), 'Newsletter build');
    await page.locator(by('button', 'Create key')).click();
    const field = await page.waitForSelector(by('textbox', 'Key'));
    const secret = (await field?.evaluate((input) => (input as unknown as { value: string }).value)) ?? '';
    assert.equal((await app.call('GET /v1/session', { key: secret })).status, 200);
    await page.locator(by('button', 'Done')).click();
    await page.locator(by('button', 'Revoke Newsletter build')).click();
    await page.locator(by('button', 'Revoke')).click();
    await page.waitForFunction('!document.body.innerText.includes("Newsletter build")');
    assert.equal((await app.call('GET /v1/session', { key: secret })).status, 401);
  });

  it('lists who is signed in, and ends the session of another browser, not its own', async () => {
    const guest = await openTab(browser);
    await visit(guest.page, `${app.url}/clients`);
    await fill(guest.page, 'input[name=key]', app.key);
    await guest.page.locator(by('button', 'Sign in')).click();
    await guest.page.waitForFunction('location.pathname === "/clients"');
    const listed = async (): Promise<{ id: string }[]> => (await app.call('GET /v1/sessions')).body.items;
    assert.equal((await listed()).length, 2);
    await go('/keys');
    await page.waitForFunction('document.querySelectorAll("section[aria-labelledby=sessions] tbody tr").length === 2');
    const others = await page.$$eval('section[aria-labelledby=sessions] tbody tr', (rows) =>
      rows.map((row) => {
        const isOwn = row.textContent?.includes('this session') ?? false;
        if (!isOwn) row.querySelector('button')?.setAttribute('data-test', 'other');
        return isOwn;
      }),
    );
    assert.deepEqual(others.sort(), [false, true]);
    await page.locator('[data-test=other]').click();
    await sees(page, 'End this session?');
    await page.locator(by('button', 'Keep')).click();
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
    assert.equal((await listed()).length, 2);
    await page.locator('[data-test=other]').click();
    await page.locator(by('button', 'End session')).click();
    await sees(page, 'The session is ended.');
    await page.waitForFunction('document.querySelectorAll("section[aria-labelledby=sessions] tbody tr").length === 1');
    await sees(page, 'this session');
    assert.equal((await listed()).length, 1);
    await guest.page.locator(by('link', 'Emails')).click();
    await guest.page.waitForFunction('location.pathname === "/sign-in"');
    assert.deepEqual(guest.complaints, []);
    await guest.close();
    await page.reload();
    await sees(page, 'API keys');
  });

  it('leads from the list to a picture with the keyboard alone', async () => {
    await go('/previews');
    await sees(page, 'A spring letter');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Skip to the content');
    await page.keyboard.press('Enter');
    await tabTo(/^A spring letter/);
    await page.keyboard.press('Enter');
    await page.waitForSelector(by('link', 'Open Gmail (Chrome)'));
    await tabTo(/^Open Gmail/);
    await page.keyboard.press('Enter');
    await page.waitForSelector('img[alt="The message in Gmail (Chrome), default"]');
    await page.keyboard.press('c');
    await page.waitForFunction('location.pathname.endsWith("/compare")');
    await page.keyboard.press('Escape');
    await page.waitForFunction(`location.pathname === '/previews/${testId}'`);
    await page.keyboard.press('?');
    await sees(page, 'Keyboard shortcuts');
    await page.keyboard.press('Escape');
  });

  it('has no accessibility faults on any page, light or dark', async () => {
    const paths = [
      '/',
      '/previews',
      '/previews?q=nothing',
      '/new',
      '/clients?q=gmail',
      '/keys',
      `/previews/${testId}`,
      `/previews/${testId}/client/ol2021`,
      `/previews/${testId}/compare?mode=difference`,
      '/share/00000000-0000-4000-8000-000000000000',
    ];
    const found: Record<string, string[]> = {};
    const examine = async (place: Page, path: string): Promise<void> => {
      await setScheme(place, 'light');
      await visit(place, app.url + path);
      const light = await faults(place);
      await setScheme(place, 'dark');
      const dark = await faults(place, 'color-contrast');
      if (light.length || dark.length) found[path] = [...light, ...dark.map((fault) => `dark: ${fault}`)];
    };
    for (const path of paths) await examine(page, path);
    await setScheme(page, 'light');
    await go(`/previews/${testId}`);
    for (const button of ['Share', 'Source', 'Keyboard shortcuts']) {
      await page.locator(by('button', button)).click();
      await page.waitForFunction(
        'document.querySelector("[role=dialog] h2") && !document.querySelector(".mantine-Loader-root")',
      );
      const broken = await faults(page);
      if (broken.length) found[button] = broken;
      await page.keyboard.press('Escape');
      await page.waitForFunction('!document.querySelector("[role=dialog]")');
    }
    const guest = await openTab(browser);
    await examine(guest.page, '/sign-in');
    await guest.close();
    assert.deepEqual(found, {});
  });

  it('deletes a test for good, after asking', async () => {
    await go(`/previews/${testId}`);
    await page.locator(by('button', 'More actions')).click();
    await page.locator(by('menuitem', 'Delete test')).click();
    await page.locator(by('button', 'Delete')).click();
    await page.waitForFunction('location.pathname === "/previews"');
    assert.equal((await app.call(`GET /v2/preview/tests/${testId}`)).status, 404);
    await go(`/previews/${testId}`);
    await sees(page, 'Not found');
  });

  it('leads back to the sign-in when the session ends, and returns from there', async () => {
    await go('/clients');
    await page.deleteCookie(...(await page.cookies()));
    await page.locator(by('link', 'Tests')).click();
    await page.waitForFunction('location.pathname === "/sign-in"');
    await signIn(app.key);
    await page.waitForFunction('location.pathname === "/previews"');
  });

  it('throws and logs no errors on the way', () => {
    assert.deepEqual(tab.complaints, []);
  });
});
