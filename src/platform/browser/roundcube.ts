// A Roundcube that somebody runs, driven as a person would: signed in by its form, a message imported into the inbox,
// opened, and photographed. The browser stands on the machine of an agent, and has that machine's network.
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { RUNTIME_DIR } from '../parts/index.ts';
import { findChromium } from './chromium/install.ts';

interface Roundcube {
  /** The message as Roundcube shows it, as a PNG at one pixel a CSS pixel. */
  capture(job: { message: Buffer }, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
}

const WIDTH = 1280;
const HEIGHT = 900;
const STEP_MS = 30_000;
/** Pixels; a longer message is cut, as its preview is. */
const PICTURE_HEIGHT_MAX = 16_000;

async function signIn(page: Page, { url, user, password }: { url: string; user: string; password: string }) {
  await page.goto(`${url}/?_task=login`, { waitUntil: 'load' });
  await page.locator('input[name=_user]').fill(user);
  await page.locator('input[name=_pass]').fill(password);
  await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.locator('#rcmloginsubmit').click()]);
  if ((await page.$('input[name=_pass]')) !== null) throw new Error('Roundcube refused the user or the password.');
}

/** Puts the message into the inbox, by the import of Roundcube itself, and answers the number it has there. */
async function importMessage(page: Page, url: string, message: Buffer): Promise<string> {
  await page.goto(`${url}/?_task=mail&_mbox=INBOX`, { waitUntil: 'load' });
  await page.waitForFunction('window.rcmail && rcmail.env && rcmail.env.request_token');
  const newest = async (): Promise<number> =>
    Number(
      await page.evaluate(
        `fetch(${JSON.stringify(`${url}/?_task=mail&_action=list&_mbox=INBOX&_sort=arrival_DESC&_remote=1&_refresh=1`)},
          { headers: { 'x-roundcube-request': rcmail.env.request_token, 'x-requested-with': 'XMLHttpRequest' } })
          .then((answer) => answer.json())
          .then(({ exec = '' }) => Math.max(0, ...[...exec.matchAll(/add_message_row\\((\\d+),/g)].map((row) => +row[1])))`,
      ),
    );
  const before = await newest();
  await page.evaluate(
    `(async () => {
      const form = new FormData();
      const bytes = Uint8Array.from(atob(${JSON.stringify(message.toString('base64'))}), (c) => c.charCodeAt(0));
      form.set('_token', rcmail.env.request_token);
      form.set('_file[]', new Blob([bytes], { type: 'message/rfc822' }), 'message.eml');
      await fetch(${JSON.stringify(`${url}/?_task=mail&_action=import&_mbox=INBOX&_remote=1&_from=import`)},
        { method: 'POST', body: form });
    })()`,
  );
  const uid = await newest();
  if (uid <= before) throw new Error('Roundcube did not import the message.');
  return String(uid);
}

async function photograph(page: Page, url: string, uid: string): Promise<Buffer> {
  // Remote images are asked for: a reader who trusts the sender sees them.
  await page.goto(`${url}/?_task=mail&_mbox=INBOX&_uid=${uid}&_action=show&_safe=1`, { waitUntil: 'networkidle2' });
  const body = await page.waitForSelector('#messagebody');
  const box = await body?.boundingBox();
  if (!body || !box || box.height < 1) throw new Error('Roundcube shows no message.');
  // The body scrolls inside the page: a window as high as it shows all of it.
  const height = Math.min(PICTURE_HEIGHT_MAX, Math.ceil(box.y + box.height + HEIGHT));
  await page.setViewport({ width: WIDTH, height });
  const png = Buffer.from(await body.screenshot({ type: 'png' }));
  await page.setViewport({ width: WIDTH, height: HEIGHT });
  return png;
}

/** Opens a browser and signs in. Throws where the address, the user or the password is wrong. */
export async function openRoundcube(login: { url: string; user: string; password: string }): Promise<Roundcube> {
  const url = login.url.replace(/\/+$/, '');
  const { executablePath, libraryPath } = await findChromium({ runtimeDir: RUNTIME_DIR });
  const isRoot = process.getuid?.() === 0;
  const browser: Browser = await puppeteer.launch({
    executablePath,
    headless: 'shell',
    pipe: true,
    defaultViewport: { width: WIDTH, height: HEIGHT },
    args: ['--hide-scrollbars', '--disable-dev-shm-usage', ...(isRoot ? ['--no-sandbox'] : [])],
    ...(libraryPath !== undefined && { env: { ...process.env, LD_LIBRARY_PATH: libraryPath } }),
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(STEP_MS);
    await signIn(page, { ...login, url });
    return {
      async capture({ message }, signal) {
        const uid = await importMessage(page, url, message);
        signal.throwIfAborted();
        return photograph(page, url, uid);
      },
      close: () => browser.close(),
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
