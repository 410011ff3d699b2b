// One page: a document goes in by interception, a picture comes out by the raw protocol.
import type { BrowserContext, CDPSession, Protocol, Target } from 'puppeteer-core';
import { MAIL_CSP, MAIL_ORIGIN } from './chromium-flags.ts';
import { SETTLE } from './chromium-settle.ts';
import { RenderError } from './errors.ts';
import { pngSize } from './png.ts';
import type { Asset, AssetSource, RenderRequest, Rendering } from './types.ts';

/** Assets that are not there by then are refused, and the picture is made without them. */
const LOAD_TIMEOUT_MS = 10_000;
/** The longest picture in device pixels: Skia's limit for one bitmap is 32,767. */
const PIXEL_HEIGHT_MAX = 32_000;
/** Four bytes each, several copies on the way: what one capture may hold. */
const PIXELS_MAX = 64_000_000;

export interface MailPage {
  /** Loads and captures. Not to be called again before it has settled. */
  render(request: RenderRequest): Promise<Omit<Rendering, 'engine'>>;
  close(): Promise<void>;
}

/** What the page was last told, so that only differences are sent. */
interface Emulated {
  metrics: string;
  scheme: string;
}

interface Navigation {
  url: string;
  html: string;
  assets: AssetSource;
  refusesAssets: boolean;
}

/** Opens a page in the context, with scripts off and every request intercepted. */
export async function openMailPage(context: BrowserContext): Promise<MailPage> {
  const session = await attachNewTarget(context);
  let current: Navigation | undefined;
  let count = 0;
  const emulated: Emulated = { metrics: '', scheme: '' };
  session.on('Fetch.requestPaused', (event) => {
    answer(session, event, current).catch(ignoreGonePage);
  });
  await Promise.all([
    session.send('Page.enable'),
    session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    session.send('Emulation.setScriptExecutionDisabled', { value: true }),
    session.send('Network.setCacheDisabled', { cacheDisabled: true }),
    session.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] }),
  ]);

  return {
    async render(request) {
      count += 1;
      await emulate(session, request, emulated);
      current = { url: `${MAIL_ORIGIN}/${count}`, html: request.html, assets: request.assets, refusesAssets: false };
      await load(session, current);
      await session.send('Runtime.evaluate', { expression: SETTLE, awaitPromise: true });
      return capture(session, request);
    },
    async close() {
      await session.detach().catch(ignoreGonePage);
    },
  };
}

/** A page target without a library's page object around it, whose bookkeeping would cost per request. */
async function attachNewTarget(context: BrowserContext): Promise<CDPSession> {
  const root = await context.browser().target().createCDPSession();
  try {
    const created = Promise.withResolvers<CDPSession>();
    // Full Chromium announces a tab first and then the page in it.
    const onTarget = (target: Target): void => {
      if (target.type() === 'page') target.createCDPSession().then(created.resolve, created.reject);
    };
    context.on('targetcreated', onTarget);
    await root.send('Target.createTarget', { url: 'about:blank', browserContextId: context.id! });
    const session = await created.promise;
    context.off('targetcreated', onTarget);
    return session;
  } finally {
    await root.detach();
  }
}

/** A page that went away can't take an answer any more; the render itself reports why. */
function ignoreGonePage(): void {}

async function emulate(session: CDPSession, request: RenderRequest, emulated: Emulated): Promise<void> {
  const { width, height, pixelRatio, colorScheme, forceDark } = request;
  const metrics = `${width}x${height}@${pixelRatio}`;
  const scheme = `${colorScheme} ${forceDark}`;
  const sent: Promise<unknown>[] = [];
  if (emulated.metrics !== metrics) {
    sent.push(session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: pixelRatio, mobile: false }));
  }
  if (emulated.scheme !== scheme) {
    const features = [{ name: 'prefers-color-scheme', value: colorScheme }];
    sent.push(session.send('Emulation.setEmulatedMedia', { media: 'screen', features }));
    sent.push(session.send('Emulation.setAutoDarkModeOverride', forceDark ? { enabled: true } : {}));
  }
  await Promise.all(sent);
  Object.assign(emulated, { metrics, scheme });
}

async function load(session: CDPSession, navigation: Navigation): Promise<void> {
  let loaderId: string | undefined;
  const finished = new Set<string>();
  const timer = setTimeout(() => { navigation.refusesAssets = true; }, LOAD_TIMEOUT_MS);
  const loaded = Promise.withResolvers<void>();
  const onLifecycle = (event: Protocol.Page.LifecycleEventEvent): void => {
    if (event.name !== 'load') return;
    finished.add(event.loaderId);
    if (event.loaderId === loaderId) loaded.resolve();
  };
  session.on('Page.lifecycleEvent', onLifecycle);
  try {
    const answered = await session.send('Page.navigate', { url: navigation.url });
    if (answered.errorText !== undefined) throw new RenderError('load_failed', `The document did not load: ${answered.errorText}.`);
    loaderId = answered.loaderId!;
    if (finished.has(loaderId)) loaded.resolve();
    await loaded.promise;
  } finally {
    clearTimeout(timer);
    session.off('Page.lifecycleEvent', onLifecycle);
  }
}

/** Answers one intercepted request: the document, `data:`, an asset, or nothing. */
async function answer(session: CDPSession, event: Protocol.Fetch.RequestPausedEvent, navigation: Navigation | undefined): Promise<void> {
  const { requestId, request, resourceType } = event;
  if (request.url.startsWith('data:')) {
    await session.send('Fetch.continueRequest', { requestId });
    return;
  }
  if (navigation !== undefined && resourceType === 'Document' && request.url === navigation.url) {
    await session.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders: DOCUMENT_HEADERS, body: base64(navigation.html) });
    return;
  }
  const asset = navigation === undefined || resourceType === 'Document' || request.method !== 'GET'
    ? undefined
    : await assetOf(navigation, request.url);
  if (asset === undefined) {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    return;
  }
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: asset.status,
    responseHeaders: [
      { name: 'content-type', value: asset.contentType },
      { name: 'access-control-allow-origin', value: '*' },
      { name: 'cache-control', value: 'no-store' },
    ],
    body: asset.body.toString('base64'),
  });
}

const DOCUMENT_HEADERS = [
  { name: 'content-type', value: 'text/html; charset=utf-8' },
  { name: 'content-security-policy', value: MAIL_CSP },
  { name: 'referrer-policy', value: 'no-referrer' },
  { name: 'cache-control', value: 'no-store' },
];

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** The asset, unless the source fails or takes too long: one bad image must not cost the picture. */
async function assetOf(navigation: Navigation, url: string): Promise<Asset | undefined> {
  if (navigation.refusesAssets) return undefined;
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), LOAD_TIMEOUT_MS);
  try {
    return await Promise.race([navigation.assets(url), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function capture(session: CDPSession, request: RenderRequest): Promise<Omit<Rendering, 'engine'>> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const contentHeight = Math.max(1, Math.ceil(cssContentSize.height));
  const pixelWidth = Math.round(request.width * request.pixelRatio);
  const pixelHeightMax = Math.min(PIXEL_HEIGHT_MAX, Math.floor(PIXELS_MAX / pixelWidth));
  const height = Math.min(contentHeight, request.heightMax, Math.floor(pixelHeightMax / request.pixelRatio));
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: request.width, height, scale: 1 },
  });
  const png = Buffer.from(data, 'base64');
  return { png, ...pngSize(png), contentHeight, isCut: height < contentHeight };
}
