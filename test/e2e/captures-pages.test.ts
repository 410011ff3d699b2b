// A screenshot of the real client, from the page of a picture to the evidence beside it; agents, enrolled and asked.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

const HTML = `<!doctype html><html lang="en"><body style="margin:0"><div style="width:300px;padding:10px">
<div style="background:#1a73e8;height:40px"></div><p style="font:16px Arial">The roses are in flower.</p>
<div style="background:#188038;height:30px"></div></div></body></html>`;

let app: App;
let browser: Browser;
let page: Page;
let testId: string;
let complaints: string[];

const go = (path: string): Promise<void> => visit(page, app.url + path);
const isAt = (path: string) => page.waitForFunction(`location.pathname === ${JSON.stringify(path)}`);
const press = (name: string): Promise<void> => page.locator(by('button', name)).click();

/** As a person does it: what was copied arrives as a file of the clipboard. `what` is an expression for its parts. */
async function pastePicture(what: string, type: string): Promise<void> {
  await page.evaluate(`(async () => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([${what}], 'shot', { type: ${JSON.stringify(type)} }));
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
}

/** Sets a field that is no plain text, as its picker does. */
function state(name: string, value: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const field = document.querySelector('input[name=${name}]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${value}');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
}

before(async () => {
  [app, browser] = await Promise.all([startApp(), openBrowser(), buildDashboard()]);
  const clients = ['gmail_chrome'];
  const made = await app.call('POST /v2/preview/tests', { body: { subject: 'Roses', html: HTML, clients } });
  testId = made.body.id;
  await app.idle();
  ({ page, complaints } = await openTab(browser));
  await signIn(page, app, `/previews/${testId}/client/gmail_chrome`);
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('a capture in the dashboard', () => {
  it('is uploaded beside the preview, and says what is missing or wrong', async () => {
    await sees(page, 'The real client');
    assert.equal(await page.evaluate('document.body.innerText.includes("ast compared")'), false);
    await page.locator(by('link', 'My client shows this …')).click();
    await isAt(`/previews/${testId}/captures/new`);
    await press('Upload the capture');
    await sees(page, 'Say which version of the client it is.');
    await sees(page, 'Paste, drop or choose a screenshot.');
    await pastePicture('"GIF89a"', 'image/gif');
    await sees(page, 'is no picture of a kind that is taken: PNG, JPEG or WebP.');
    await pastePicture('"no picture"', 'image/png');
    await sees(page, 'The picture is damaged.');
    await pastePicture('await (await fetch(document.querySelector("figure img").src)).blob()', 'image/png');
    await page.waitForFunction(
      '[...document.images].filter((image) => image.complete && image.naturalWidth > 0).length === 2',
    );
    await assertFlawless(page, 'capture-upload');
    await fill(page, 'input[name=client_version]', 'Chrome 142');
    await fill(page, 'input[name=os]', 'Windows 11 24H2');
    await fill(page, 'input[name=captured_by]', 'Ada');
    await state('captured_at', '2099-01-01T10:00');
    await press('Upload the capture');
    await sees(page, 'captured_at is in the future');
    await state('captured_at', '');
    await press('Upload the capture');
    await isAt(`/previews/${testId}/client/gmail_chrome/evidence`);
  });

  it('is held against the preview, and accepted by the operator', async () => {
    await sees(page, '100 % of the picture agree.');
    await sees(page, 'waiting for the operator');
    for (const words of ['Ada', 'Chrome 142', 'Windows 11 24H2', 'by hand', 'Lines (wraps)', 'Missing parts'])
      await sees(page, words);
    await page.waitForFunction(
      '[...document.images].filter((image) => image.complete && image.naturalWidth > 0).length === 3',
    );
    await assertFlawless(page, 'evidence');
    await press('Accept');
    await fill(page, 'textarea', 'Seen on my machine.');
    await page.locator('[role=dialog] button[type=submit]').click();
    await sees(page, 'Seen on my machine.');
    await go(`/previews/${testId}/client/gmail_chrome`);
    await sees(page, '100 % agree.');
    await go(`/previews/${testId}`);
    await sees(page, '100 % agree');
  });

  it('is listed over all tests, by client and state', async () => {
    await go('/captures?state=waiting');
    await sees(page, 'No captures');
    await go('/captures?client=gmail_chrome');
    await sees(page, '1 capture');
    await sees(page, 'accepted');
    await assertFlawless(page, 'captures');
  });
});

describe('capture agents in the dashboard', () => {
  it('are enrolled with a token that is shown once, asked on the page of a picture, and removed', async () => {
    await go('/capture-agents');
    await sees(page, 'No agent is enrolled.');
    await sees(page, 'No capture waits for a decision.');
    await press('Enroll an agent');
    await fill(page, '[role=dialog] input', 'Lab 3');
    await page.locator('[role=dialog] button[type=submit]').click();
    await sees(page, 'Copy this token now');
    const token = (await page.$eval('[role=dialog] input', (field) => (field as any).value)) as string;
    assert.match(token, /^agent-[0-9a-f]{48}$/);
    await press('Done');
    await sees(page, 'was never seen');
    const headers = { authorization: `Bearer ${token}` };
    const asAgent = (path: string, body: unknown) =>
      app.call(`POST /v2/preview/capture_agent${path}`, { key: null, headers, body });
    const runs = { clients: [{ client: 'gmail_chrome', version: 'Chrome 142', os: 'Debian 12' }] };
    assert.equal((await asAgent('/claim', runs)).body.job, null);
    await go(`/previews/${testId}/client/gmail_chrome`);
    await press('Ask an agent for a capture');
    await sees(page, 'waiting for an agent');
    const { job } = (await asAgent('/claim', runs)).body;
    assert.equal((await asAgent(`/jobs/${job.id}/fail`, { reason: 'The screen was locked.' })).status, 200);
    await go('/capture-agents');
    await sees(page, 'The screen was locked.');
    await sees(page, 'Chrome 142, Debian 12');
    await assertFlawless(page, 'capture-agents');
    await press('Remove Lab 3');
    await page.locator('[role=dialog] ::-p-aria([name="Remove"][role="button"])').click();
    await sees(page, 'No agent is enrolled.');
    assert.equal((await asAgent('/claim', runs)).status, 401);
    assert.deepEqual(complaints, []);
  });
});
