// One page: a document goes in by interception, a picture comes out by the raw protocol.
import { setTimeout as wait } from 'node:timers/promises';
import { ProtocolError, type BrowserContext, type CDPSession, type Protocol, type Target } from 'puppeteer-core';
import { runAxe } from '../axe/axe.ts';
import type { AuditRequest, AuditResult } from '../axe/types.ts';
import { documentsIn } from './documents.ts';
import { ignoreGonePage } from './loading.ts';
import { bytesOf } from './picture-bytes.ts';
import { extentOf } from '../extent.ts';
import { LAYOUT } from '../layout-script.ts';
import { measureLayout, type RawLayout } from '../layout.ts';
import { RenderError } from '../errors.ts';
import { refuseDeep, rowsOf } from '../part.ts';
import { pngSize } from '../png.ts';
import type { RenderRequest, Rendering } from '../types.ts';

export interface MailPage {
  /** Loads and captures. Not to be called again before it has settled. */
  render(request: RenderRequest): Promise<Omit<Rendering, 'engine'>>;
  /** Loads and checks, on the same terms. */
  audit(request: AuditRequest): Promise<Omit<AuditResult, 'browser'>>;
  /** Whether the page would take this document without going to an address of its own. */
  continuesWith(request: AuditRequest | RenderRequest): boolean;
  /** Its process is gone; the page is good for nothing any more. */
  readonly hasCrashed: boolean;
  /**
   * Ends the page's process, even one that hangs. Resolves when it is gone; not to be relied on without a time limit.
   */
  crash(): Promise<void>;
}

/** The settings last sent to the page, so that only differences are sent. */
interface Emulated {
  metrics: string;
  scheme: string;
}

/** Opens a page in the context, with scripts off and every request intercepted. */
export async function openMailPage(context: BrowserContext): Promise<MailPage> {
  const { session, targetId } = await attachNewTarget(context);
  const documents = documentsIn(session);
  const emulated: Emulated = { metrics: '', scheme: '' };
  const crashed = Promise.withResolvers<void>();
  let hasCrashed = false;
  onCrash(session, targetId, (error) => {
    hasCrashed = true;
    documents.fail(error);
    crashed.resolve();
  });
  await Promise.all([
    session.send('Inspector.enable'),
    session.send('Page.enable'),
    session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    session.send('Emulation.setScriptExecutionDisabled', { value: true }),
    session.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] }),
  ]);

  /** Loads the document, brings it to rest and does the work in it. */
  const visit = async <T>(request: AuditRequest | RenderRequest, work: (frameId: string) => Promise<T>): Promise<T> => {
    const { promise: failed, reject: fail } = Promise.withResolvers<never>();
    const make = async (): Promise<T> => {
      const options = { fail, prepare: () => emulate(session, request, emulated) };
      let { frameId, isExact } = await documents.load(request, options);
      if (!isExact && 'heightMax' in request && (await measure(session, request)).isWhole)
        ({ frameId, isExact } = await documents.load(request, { ...options, isAlone: true }));
      return work(frameId);
    };
    return Promise.race([make().catch((error: unknown) => reasonOf(error, failed)), failed]);
  };

  return {
    get hasCrashed() {
      return hasCrashed;
    },
    continuesWith: (request) => !hasCrashed && documents.continuesWith(request),
    render: (request) => visit(request, () => capture(session, request, emulated)),
    audit: (request) => visit(request, (frameId) => runAxe(session, frameId, request)),
    async crash() {
      // Nothing is left to answer it.
      session.send('Page.crash').catch(ignoreGonePage);
      await crashed.promise;
    },
  };
}

const REASON_MS = 100;

/** What is asked of a page that goes away fails a moment before the page's own reason is heard. */
async function reasonOf(error: unknown, failed: Promise<never>): Promise<never> {
  await Promise.race([failed, wait(REASON_MS)]);
  throw error;
}

const SIGKILL = 9;

/** Tells a process that ended itself, over the document or over its memory, from one that somebody else ended. */
function onCrash(session: CDPSession, targetId: string, heard: (error: RenderError) => void): void {
  const connection = session.connection();
  const listen = (event: Protocol.Target.TargetCrashedEvent): void => {
    if (event.targetId !== targetId) return;
    if (event.errorCode === SIGKILL) heard(new RenderError('crashed', 'The page was ended from outside.'));
    else
      heard(
        new RenderError('broke', "The browser's page broke over the document.", `${event.status}, ${event.errorCode}`),
      );
  };
  connection?.on('Target.targetCrashed', listen);
  session.once('CDPSession.Disconnected', () => connection?.off('Target.targetCrashed', listen));
}

/** A page target without a library's page object around it, whose bookkeeping would cost per request. */
async function attachNewTarget(context: BrowserContext): Promise<{ session: CDPSession; targetId: string }> {
  const root = await context.browser().target().createCDPSession();
  try {
    const created = Promise.withResolvers<CDPSession>();
    // Full Chromium announces a tab first and then the page in it.
    const onTarget = (target: Target): void => {
      if (target.type() === 'page') target.createCDPSession().then(created.resolve, created.reject);
    };
    context.on('targetcreated', onTarget);
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId: context.id! });
    const session = await created.promise;
    context.off('targetcreated', onTarget);
    return { session, targetId };
  } finally {
    await root.detach();
  }
}

async function emulate(session: CDPSession, request: AuditRequest | RenderRequest, emulated: Emulated): Promise<void> {
  const { width, height, pixelRatio, colorScheme, forceDark } = request;
  const scheme = `${colorScheme} ${forceDark}`;
  const sent: Promise<unknown>[] = [resize(session, { width, height, pixelRatio }, emulated)];
  if (emulated.scheme !== scheme) {
    const features = [{ name: 'prefers-color-scheme', value: colorScheme }];
    sent.push(session.send('Emulation.setEmulatedMedia', { media: 'screen', features }));
    sent.push(session.send('Emulation.setAutoDarkModeOverride', forceDark ? { enabled: true } : {}));
  }
  await Promise.all(sent);
  emulated.scheme = scheme;
}

async function resize(
  session: CDPSession,
  size: { width: number; height: number; pixelRatio: number },
  emulated: Emulated,
): Promise<void> {
  const { width, height, pixelRatio } = size;
  const metrics = `${width}x${height}@${pixelRatio}`;
  if (emulated.metrics === metrics) return;
  await session.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    deviceScaleFactor: pixelRatio,
    mobile: false,
  });
  emulated.metrics = metrics;
}

/** What is to be drawn of the document that is there. */
async function measure(session: CDPSession, request: RenderRequest) {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const contentHeight = Math.max(1, Math.ceil(cssContentSize.height));
  const width = request.fitWidth === true ? Math.max(request.width, Math.ceil(cssContentSize.width)) : request.width;
  const scale = request.width / width;
  const document = { contentHeight, scale };
  const made = { width, scale, contentHeight };
  if (request.part) return { ...made, ...rowsOf(request.part, document), isWhole: false, isCut: false };
  return { ...made, top: 0, ...extentOf(request, document) };
}

async function capture(
  session: CDPSession,
  request: RenderRequest,
  emulated: Emulated,
): Promise<Omit<Rendering, 'engine'>> {
  const { width, top, height, scale, contentHeight, isWhole, isCut } = await measure(session, request);
  if (request.forceDark) {
    refuseDeep(request);
    // Headless shell forgets the override when it captures beyond the viewport, so the viewport grows to the picture.
    await resize(
      session,
      {
        width: request.width,
        height: Math.max(Math.ceil(top + height), request.height),
        pixelRatio: request.pixelRatio,
      },
      emulated,
    );
    await session.send('Emulation.setAutoDarkModeOverride', { enabled: true });
  }
  // Asked for before the picture, so it is measured before it: capturing changes the viewport for a moment.
  const measured = isWhole ? readLayout(session) : undefined;
  const png = await shoot(session, {
    captureBeyondViewport: !request.forceDark,
    clip: { x: 0, y: top, width, height, scale },
  });
  const made = { png, ...pngSize(png), contentHeight, isCut, isWhole };
  const raw = await measured;
  if (raw === undefined) return made;
  // Colors that the browser itself changes are in the picture alone.
  if (request.forceDark) for (const text of raw.suspects) delete text.color;
  return { ...made, layout: await measureLayout(raw, png, width) };
}

/** Undefined for a document that can't be measured: it has its picture all the same. */
async function readLayout(session: CDPSession): Promise<RawLayout | undefined> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: LAYOUT,
    returnByValue: true,
  });
  return exceptionDetails ? undefined : (result.value as RawLayout);
}

async function shoot(session: CDPSession, options: Protocol.Page.CaptureScreenshotRequest): Promise<Buffer> {
  try {
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'png',
      optimizeForSpeed: true,
      ...options,
    });
    return bytesOf(data);
  } catch (cause) {
    if (!(cause instanceof ProtocolError) || session.detached) throw cause;
    throw new RenderError('not_drawn', 'The browser could not draw the document.', cause);
  }
}
