// The list of emails when it is full: over HTTP and as a page of the dashboard in Chromium, beside a list of two pages
// in the same run. Every email is made through the API.
//
// BENCH_EMAILS=10000 says how many, BENCH_ROUNDS how often each thing is asked.
import type { Browser, Page } from 'puppeteer-core';
import { type Galley } from '../src/app/serve.ts';
import { buildDashboard, openBrowser, openTab, signIn } from '../test/e2e/chromium.ts';
import { median } from './measure.ts';
import { call, KEY, startApi } from './service.ts';

const EMAILS = Number(process.env['BENCH_EMAILS'] ?? 10_000);
const FEW = 100;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15);
const WARM = 3;
const AT_ONCE = 16;
/** Of a page of the full list in the dashboard, beside the same of the small one. */
const RATIO_MAX = 1.5;
/** Two frames of a screen that shows 60 a second. */
const SMOOTH_MS = 34;

interface Bed {
  count: number;
  galley: Galley;
  close(): Promise<void>;
}

const SEASONS = ['Spring', 'Summer', 'Autumn', 'Winter'];
const emailOf = (number: number) => ({
  name: `Letter ${number} of the garden`,
  folder: `Campaigns/${SEASONS[number % 4]}/${2020 + (number % 7)}`,
  tags: [`week-${number % 52}`, number % 3 ? 'newsletter' : 'offer'],
  html: `<!doctype html><html lang="en"><head><title>Roses ${number}</title></head><body><p>Letter ${number}</p></body></html>`,
  subject: `The roses of week ${number} are in flower`,
});

async function open(count: number): Promise<Bed> {
  const { galley, close } = await startApi('emails');
  const began = performance.now();
  let made = 0;
  const make = async (): Promise<void> => {
    while (made < count) await call(galley, 'POST /v1/emails', { body: emailOf((made += 1)) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, make));
  const seconds = (performance.now() - began) / 1000;
  console.log(`${count} emails made through the API in ${seconds.toFixed(1)} s (${(count / seconds).toFixed(0)}/s)`);
  return { count, galley, close };
}

const QUERIES: Record<string, (count: number) => string> = {
  'first page, last changed first': () => '?limit=50',
  'first page, by name': () => '?limit=50&sort=name',
  'last page': (count) => `?limit=50&skip=${count - 50}`,
  'words that one email has': () => '?limit=50&search=week%2042%20are',
  'words that none has': () => '?limit=50&search=nobody',
  'a folder': () => '?limit=50&folder=Campaigns%2FSpring',
  'a tag': () => '?limit=50&tag=week-7',
  'folders and tags': () => '/labels',
};

async function inTurns(beds: readonly Bed[], work: (bed: Bed) => Promise<number>): Promise<number[]> {
  const times = beds.map((): number[] => []);
  for (let round = -WARM; round < ROUNDS; round += 1)
    for (const [index, bed] of beds.entries()) {
      const took = await work(bed);
      if (round >= 0) times[index]!.push(took);
    }
  return times.map(median);
}

function report(what: string, [few, many]: readonly number[], ratioMax?: number): void {
  const ratio = many! / few!;
  const goal = ratioMax === undefined ? '' : `  (goal ≤ ${ratioMax}: ${ratio <= ratioMax ? 'met' : 'MISSED'})`;
  console.log(
    `${what.padEnd(44)} ${few!.toFixed(1).padStart(8)} ms  ${many!.toFixed(1).padStart(8)} ms  × ${ratio.toFixed(2)}${goal}`,
  );
}

/** Milliseconds from the beginning of the page's load, by its own clock. */
const PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
const LISTED = `new Promise((resolve) => {
  const look = () => document.querySelector('[data-row]') ? requestAnimationFrame(() => resolve(performance.now()))
    : requestAnimationFrame(look);
  look();
})`;
/** Scrolls by a screen's tenth a frame to the end; the time of each frame. */
const SCROLLED = `new Promise((resolve) => {
  const times = [];
  let last = performance.now();
  const step = (now) => {
    times.push(now - last);
    last = now;
    const before = scrollY;
    scrollBy(0, innerHeight / 10);
    if (scrollY > before) requestAnimationFrame(step);
    else resolve(times.slice(1));
  };
  requestAnimationFrame(step);
})`;

async function showPages(browser: Browser, beds: readonly Bed[]): Promise<void> {
  const pages = new Map<Bed, Page>();
  for (const bed of beds) {
    const { page } = await openTab(browser, { width: 1440, height: 900 });
    await signIn(page, { url: bed.galley.url, key: KEY }, '/emails');
    pages.set(bed, page);
  }
  const painted = new Map<Bed, number[]>(beds.map((bed) => [bed, []]));
  const listed = await inTurns(beds, async (bed) => {
    const page = pages.get(bed)!;
    await page.goto(`${bed.galley.url}/emails`, { waitUntil: 'domcontentloaded' });
    const at = (await page.evaluate(LISTED)) as number;
    painted.get(bed)!.push((await page.evaluate(PAINTED)) as number);
    return at;
  });
  report(
    'dashboard: first paint',
    beds.map((bed) => median(painted.get(bed)!.slice(WARM))),
    RATIO_MAX,
  );
  report('dashboard: the emails are listed', listed, RATIO_MAX);
  for (const [bed, page] of pages) {
    const frames = (await page.evaluate(SCROLLED)) as number[];
    const slow = frames.filter((ms) => ms > SMOOTH_MS).length;
    const elements = (await page.evaluate('document.querySelectorAll("*").length')) as number;
    console.log(
      `dashboard: scrolled to the end of a page of ${bed.count}: ${frames.length} frames, median ` +
        `${median(frames).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(1)} ms, ${slow} above ${SMOOTH_MS} ms; ` +
        `${elements} elements`,
    );
  }
}

export async function run(): Promise<void> {
  await buildDashboard();
  const beds = [await open(FEW), await open(EMAILS)];
  const browser = await openBrowser();
  try {
    console.log(`median of ${ROUNDS}, ${beds.map(({ count }) => `${count} emails`).join(' beside ')}`);
    for (const [what, query] of Object.entries(QUERIES)) {
      const times = await inTurns(beds, async ({ galley, count }) => {
        const began = performance.now();
        await call(galley, `GET /v1/emails${query(count)}`);
        return performance.now() - began;
      });
      report(what, times);
    }
    await showPages(browser, beds);
  } finally {
    await browser.close();
    for (const bed of beds) await bed.close();
  }
}
