// A real browser for the dashboard: pages, what they say, and what axe finds in them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import axe from 'axe-core';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { findChromium } from '../../src/platform/browser/chromium/install.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILLS_MAX = 5;
const FILLED_MS = 5000;

/** Builds the dashboard when its files are older than their sources. */
export async function buildDashboard(): Promise<void> {
  await import('../../scripts/build-dashboard.ts');
}

/** The Chromium that Galley itself uses, with a window's abilities. */
export async function openBrowser(): Promise<Browser> {
  const { executablePath, libraryPath } = await findChromium({ runtimeDir: join(ROOT, '.runtime') });
  return puppeteer.launch({
    executablePath,
    headless: 'shell',
    pipe: true,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--hide-scrollbars'],
    ...(libraryPath !== undefined && { env: { ...process.env, LD_LIBRARY_PATH: libraryPath } }),
  });
}

export interface Tab {
  page: Page;
  /** What the page threw or logged as an error, and what was not found. */
  complaints: string[];
  close(): Promise<void>;
}

/** A tab without cookies of others. Motion is reduced, so that nothing is still moving when it is looked at. */
export async function openTab(browser: Browser, { width = 1280, height = 800 } = {}): Promise<Tab> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  // On a busy machine a report of twenty seconds takes a minute.
  page.setDefaultTimeout(90_000);
  return { page, complaints, close: () => context.close() };
}

/** An element by its accessible role and name. */
export function by(role: string, name: string): string {
  return `::-p-aria([name="${name}"][role="${role}"])`;
}

/** Waits until the text of the page has this. */
export async function sees(page: Page, text: string): Promise<void> {
  await page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`);
}

/** Opens the select with this label and takes an option. A list that closed meanwhile is opened again, as people do. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  const list = by('combobox', label);
  const until = performance.now() + page.getDefaultTimeout();
  await page.locator(list).click();
  for (;;) {
    try {
      await page.locator(by('option', option)).setTimeout(5000).click();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      const isOpen = await page.$(list).then((found) => found?.evaluate((box) => box.ariaExpanded === 'true'));
      if (!isOpen) await page.locator(list).click();
    }
  }
}

/** How many pictures of this address are shown, decoded. */
export async function pictures(page: Page, part: string): Promise<number> {
  return page.evaluate(
    `[...document.images].filter((image) => image.src.includes(${JSON.stringify(part)}) && image.complete && ` +
      'image.naturalWidth > 0).length',
  ) as Promise<number>;
}

/** Opens a page and waits until it shows what it has. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await page.waitForFunction(
    'document.querySelector("h1, h2") && !document.querySelector(".mantine-Loader-root, .mantine-Skeleton-root") && ' +
      'document.fonts.status === "loaded"',
  );
}

/** Waits until a field has this value. */
export async function holds(page: Page, selector: string, value: string): Promise<void> {
  await page.waitForFunction(`document.querySelector(${JSON.stringify(selector)})?.value === ${JSON.stringify(value)}`);
}

/** Puts text into a field at once, as pasting does. */
export async function paste(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).click();
  await page.keyboard.sendCharacter(text);
}

/**
 * Types into a field that may hold something already. The field is emptied behind the page's back first: where the page
 * draws itself in between, what it held comes back, and it is typed again.
 */
export async function fill(page: Page, selector: string, text: string): Promise<void> {
  const isFilled = async (timeout?: number): Promise<unknown> => {
    const field = await page.waitForSelector(selector);
    const options = timeout === undefined ? {} : { timeout };
    return page.waitForFunction((filled: any, wanted: string) => filled.value === wanted, options, field, text);
  };
  for (let tries = 0; tries < FILLS_MAX; tries++) {
    await page.locator(selector).fill(text);
    if (await isFilled(FILLED_MS).then(Boolean, () => false)) return;
  }
  await isFilled();
}

/** The text of the file that a button hands out, with its byte order mark. */
export async function savedFile(page: Page, button: string): Promise<string> {
  await page.evaluate(`(() => {
    window.savedFile = new Promise((resolve) => {
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = make;
        resolve(blob.arrayBuffer());
        return make.call(URL, blob);
      };
    });
  })()`);
  await page.locator(by('button', button)).click();
  const read = "savedFile.then((bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))";
  return (await page.evaluate(read)) as string;
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Every rule of WCAG 2.2 A and AA, and axe's own good practice, that the page breaks, and where; or one rule alone.
 * The pointer leaves first: whether a tooltip is up already would depend on how fast the machine is.
 */
export async function faults(page: Page, rule?: string): Promise<string[]> {
  await page.mouse.move(0, 0);
  await page.waitForFunction('!document.querySelector("[role=tooltip]")');
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const runOnly = rule ? { type: 'rule', values: [rule] } : { type: 'tag', values: TAGS };
  return page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + ' ' + (node.any[0]?.message ?? ''))].join(' | ')))`) as Promise<
    string[]
  >;
}

/** Asks for a light or dark page as the system does, and waits until it is. */
export async function setScheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  if (!page.url().startsWith('http')) return;
  // A page that is not of the dashboard follows the system by its style sheet.
  await page.waitForFunction(
    `!document.getElementById('root') || document.documentElement.dataset.mantineColorScheme === '${scheme}'`,
  );
  await page.evaluate(
    'Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)))',
  );
}

/** Signs in at a page of the dashboard, and waits until it is there. */
export async function signIn(page: Page, { url, key }: { url: string; key: string }, path = '/'): Promise<void> {
  await visit(page, url + path);
  await fill(page, 'input[name=key]', key);
  await page.locator(by('button', 'Sign in')).click();
  await page.waitForFunction('!document.querySelector("input[name=key]")');
}

/**
 * Both schemes, at the width of a desk and of a phone: no faults, and nothing scrolls sideways. `GALLEY_TEST_PICTURES`
 * names a folder that gets a picture of each, by the name, or else by the path of the page.
 */
export async function assertFlawless(page: Page, given?: string): Promise<void> {
  const name = given ?? new URL(page.url()).pathname.slice(1).replaceAll('/', '-');
  const folder = process.env['GALLEY_TEST_PICTURES'];
  for (const scheme of ['light', 'dark'] as const) {
    await setScheme(page, scheme);
    for (const width of [1440, 390]) {
      await page.setViewport({ width, height: 900 });
      await page.evaluate('scrollTo(0, 0)');
      assert.deepEqual(await faults(page), [], `${name} ${scheme} ${width}`);
      const isNarrow = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
      assert.equal(isNarrow, true, `${name} scrolls sideways at ${width}`);
      if (folder) await page.screenshot({ path: `${folder}/${name}-${scheme}-${width}.png`, fullPage: true });
    }
  }
  await page.setViewport({ width: 1280, height: 800 });
  await setScheme(page, 'light');
}
