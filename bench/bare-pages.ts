// The floor of previews: two bare browsers that load and capture, by the protocol calls that the renderer makes, with
// nothing of the service around them.
import type { CDPSession, Protocol } from 'puppeteer-core';
import { MAIL_CSP } from '../src/platform/browser/chromium/flags.ts';
import type { ChromiumProcess } from '../src/platform/browser/chromium/process.ts';
import { SETTLE } from '../src/platform/browser/chromium/settle.ts';
import type { ChromiumStarter } from '../src/platform/browser/chromium/start.ts';
import type { RenderRequest } from '../src/platform/browser/types.ts';

/** How a page gets its second document and those after it. */
type Loading = 'navigate' | 'content';

export interface BarePages {
  /** Captures all of them whole, each lane taking the next. */
  captureAll(requests: readonly RenderRequest[], loading: Loading): Promise<void>;
  end(): Promise<void>;
}

interface BarePage {
  capture(request: RenderRequest, loading: Loading): Promise<void>;
  close(): Promise<void>;
}

const ANSWER = [{ name: 'access-control-allow-origin', value: '*' }];

async function openPage(browser: ChromiumProcess['browser']): Promise<BarePage> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const session = await page.createCDPSession();
  let current: { url: string; request: RenderRequest } | undefined;
  let count = 0;
  let frameId: string | undefined;
  session.on('Fetch.requestPaused', (event) => {
    if (current) answer(session, event, current).catch(() => {}); // the page went on to its next document
  });
  await session.send('Page.enable');
  await session.send('Page.setLifecycleEventsEnabled', { enabled: true });
  await session.send('Emulation.setScriptExecutionDisabled', { value: true });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] });
  return {
    async capture(request, loading) {
      await emulate(session, request);
      const isNew = frameId === undefined || loading === 'navigate';
      count += 1;
      current = { url: isNew ? `https://mail.test/${count}` : current!.url, request };
      const loaded = loadEvent(session);
      if (isNew) ({ frameId } = await session.send('Page.navigate', { url: current.url }));
      else await session.send('Page.setDocumentContent', { frameId: frameId!, html: request.html });
      await loaded;
      await session.send('Runtime.evaluate', { expression: SETTLE, awaitPromise: true });
      await captureWhole(session, request);
    },
    close: () => context.close(),
  };
}

function loadEvent(session: CDPSession): Promise<void> {
  return new Promise((resolve) => {
    const listen = ({ name }: Protocol.Page.LifecycleEventEvent): void => {
      if (name !== 'load') return;
      session.off('Page.lifecycleEvent', listen);
      resolve();
    };
    session.on('Page.lifecycleEvent', listen);
  });
}

async function answer(
  session: CDPSession,
  { requestId, request: { url } }: Protocol.Fetch.RequestPausedEvent,
  current: { url: string; request: RenderRequest },
): Promise<void> {
  if (url.startsWith('data:')) return session.send('Fetch.continueRequest', { requestId });
  const document = {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body: Buffer.from(current.request.html),
  };
  const asset = url === current.url ? document : await current.request.assets(url);
  if (!asset) return session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
  const headers = [
    { name: 'content-type', value: asset.contentType },
    ...(asset === document
      ? [{ name: 'content-security-policy', value: MAIL_CSP }]
      : [...ANSWER, { name: 'cache-control', value: 'max-age=3600' }]),
  ];
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: asset.status,
    responseHeaders: headers,
    body: asset.body.toString('base64'),
  });
}

async function emulate(session: CDPSession, request: RenderRequest): Promise<void> {
  const { width, height, pixelRatio, colorScheme, forceDark } = request;
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: pixelRatio, mobile: false }),
    session.send('Emulation.setEmulatedMedia', {
      media: 'screen',
      features: [{ name: 'prefers-color-scheme', value: colorScheme }],
    }),
    session.send('Emulation.setAutoDarkModeOverride', forceDark ? { enabled: true } : {}),
  ]);
}

async function captureWhole(session: CDPSession, request: RenderRequest): Promise<void> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const width = request.fitWidth ? Math.max(request.width, Math.ceil(cssContentSize.width)) : request.width;
  const scale = request.width / width;
  const most = Math.floor(32_000 / (request.pixelRatio * scale));
  const height = Math.min(Math.ceil(cssContentSize.height), request.heightMax, most);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale },
  });
  Buffer.from(data, 'base64');
}

interface Lane {
  captureAll(next: () => RenderRequest | undefined, loading: Loading): Promise<void>;
  end(): Promise<void>;
}

/** For each test a page for each set of assets: what one has loaded must not show in the other. */
async function openLane(starter: ChromiumStarter): Promise<Lane> {
  const started = await starter.start();
  return {
    async captureAll(next, loading) {
      const pages = new Map<string | undefined, BarePage>();
      for (let request = next(); request; request = next()) {
        const page = pages.get(request.assetsKey) ?? (await openPage(started.browser));
        pages.set(request.assetsKey, page);
        await page.capture(request, loading);
      }
      for (const page of pages.values()) await page.close();
    },
    end: () => started.end(),
  };
}

/** As many browsers as lanes, one document at a time in each. */
export async function openBarePages(starter: ChromiumStarter, lanes: number): Promise<BarePages> {
  const opened = await Promise.all(Array.from({ length: lanes }, () => openLane(starter)));
  return {
    async captureAll(requests, loading) {
      const queue = [...requests];
      await Promise.all(opened.map((lane) => lane.captureAll(() => queue.shift(), loading)));
    },
    async end() {
      await Promise.all(opened.map((lane) => lane.end()));
    },
  };
}
