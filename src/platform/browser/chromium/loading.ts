// How a document comes into a page: by a navigation that is intercepted, or set into the document that is there.
import type { CDPSession, Protocol } from 'puppeteer-core';
import { MAIL_CSP, MAIL_ORIGIN } from './flags.ts';
import { RenderError } from '../errors.ts';
import { isSvg, stillSvg } from '../still-svg.ts';
import type { Asset, AssetSource } from '../types.ts';

/** Assets that are not there by then are refused, and the picture is made without them. */
const LOAD_TIMEOUT_MS = 10_000;

/** A document on its way into a page, and what it may load. */
export interface Loading {
  /** Where the frame is, or is to go. */
  url: string;
  html: string;
  assets: AssetSource;
  /** For the assets: whether the browser may show them again without asking. */
  cacheControl: string;
  refusesAssets: boolean;
  /** The addresses of all photographs (JPEG) that the page is given are added. */
  photographs: Set<string>;
  /** Ends the render that waits for this document. */
  fail: (error: RenderError) => void;
}

/** Where a document was loaded. */
export interface Place {
  frameId: string;
  loaderId: string;
}

/** Goes to the document's address. Resolves when all that it loads is there, or refused. */
export async function navigate(session: CDPSession, navigation: Loading): Promise<Place> {
  let loaderId: string | undefined;
  const finished = new Set<string>();
  const timer = setTimeout(() => {
    navigation.refusesAssets = true;
  }, LOAD_TIMEOUT_MS);
  const loaded = Promise.withResolvers<void>();
  const onLifecycle = (event: Protocol.Page.LifecycleEventEvent): void => {
    if (event.name !== 'load') return;
    finished.add(event.loaderId);
    if (event.loaderId === loaderId) loaded.resolve();
  };
  session.on('Page.lifecycleEvent', onLifecycle);
  try {
    const answered = await session.send('Page.navigate', { url: navigation.url });
    if (answered.errorText !== undefined)
      throw new RenderError('load_failed', `The document did not load: ${answered.errorText}.`);
    loaderId = answered.loaderId!;
    if (finished.has(loaderId)) loaded.resolve();
    await loaded.promise;
    return { frameId: answered.frameId, loaderId };
  } finally {
    clearTimeout(timer);
    session.off('Page.lifecycleEvent', onLifecycle);
  }
}

/** Sets the document into the frame, in place of the one that was navigated to, whose address and headers it takes. */
export async function setContent(session: CDPSession, loading: Loading, { frameId, loaderId }: Place): Promise<void> {
  const timer = setTimeout(() => {
    loading.refusesAssets = true;
  }, LOAD_TIMEOUT_MS);
  const loaded = Promise.withResolvers<void>();
  const onLifecycle = (event: Protocol.Page.LifecycleEventEvent): void => {
    if (event.name === 'load' && event.loaderId === loaderId) loaded.resolve();
  };
  session.on('Page.lifecycleEvent', onLifecycle);
  try {
    await Promise.all([session.send('Page.setDocumentContent', { frameId, html: loading.html }), loaded.promise]);
  } finally {
    clearTimeout(timer);
    session.off('Page.lifecycleEvent', onLifecycle);
  }
}

/** Answers one intercepted request: the document, `data:`, an asset, or nothing. */
export async function answer(
  session: CDPSession,
  event: Protocol.Fetch.RequestPausedEvent,
  loading: Loading | undefined,
): Promise<void> {
  const { requestId, request, resourceType } = event;
  if (request.url.startsWith('data:')) {
    await session.send('Fetch.continueRequest', { requestId });
    return;
  }
  if (loading !== undefined && resourceType === 'Document' && request.url === loading.url) {
    await session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: DOCUMENT_HEADERS,
      body: base64(loading.html),
    });
    return;
  }
  // Beside the document's own address nothing is known of that origin; Chromium asks it for a favicon. No script runs, so
  // a fetch is a prefetch for the reader's next page: it starts at any time, even when the next document is there.
  const isForbidden =
    resourceType === 'Document' ||
    resourceType === 'Fetch' ||
    resourceType === 'Prefetch' ||
    request.method !== 'GET' ||
    request.url.startsWith(`${MAIL_ORIGIN}/`);
  const asset = loading === undefined || isForbidden ? undefined : await assetOf(loading, request.url);
  if (asset === undefined) {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    return;
  }
  if (isPhotograph(asset)) loading!.photographs.add(request.url);
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: asset.status,
    responseHeaders: [
      { name: 'content-type', value: asset.contentType },
      { name: 'access-control-allow-origin', value: '*' },
      { name: 'cache-control', value: loading!.cacheControl },
    ],
    body: (isSvg(asset) ? stillSvg(asset.body) : asset.body).toString('base64'),
  });
}

/** A JPEG, whatever it is called: browsers look at the first bytes of images. */
function isPhotograph({ body }: Asset): boolean {
  return body[0] === 0xff && body[1] === 0xd8 && body[2] === 0xff;
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

/**
 * The asset, or undefined when it takes too long: one slow image must not cost the picture. A source that throws does,
 * because the picture would be kept although it is wrong.
 */
async function assetOf(loading: Loading, url: string): Promise<Asset | undefined> {
  if (loading.refusesAssets) return undefined;
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), LOAD_TIMEOUT_MS);
  try {
    return await Promise.race([loading.assets(url), late.promise]);
  } catch (cause) {
    loading.fail(new RenderError('load_failed', `The asset ${url} could not be read.`, cause));
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** A page that went away can't take an answer any more; the render itself reports why. */
export function ignoreGonePage(): void {}
