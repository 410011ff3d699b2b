// The Chromium engine: one process, one browser context per scope, one page per context.
import type { BrowserContext } from 'puppeteer-core';
import type { Auditor, AuditRequest } from './axe-types.ts';
import { openMailPage, type MailPage } from './chromium-page.ts';
import type { ChromiumStarter } from './chromium-start.ts';
import { superviseChromium, type Running, type WearLimits } from './chromium-supervisor.ts';
import { RenderError } from './errors.ts';
import type { Renderer, RenderRequest } from './types.ts';

export interface ChromiumLimits extends WearLimits {
  /** Contexts that stay open. Default 3. */
  contextsMax?: number;
  /** One render, from navigation to picture; then the process is ended. Default 30,000. */
  renderTimeoutMs?: number;
}

export interface ChromiumRenderer extends Renderer, Auditor {
  /** Starts the process now instead of at the first render. */
  warm(): Promise<void>;
  /** The process that runs now, if any. */
  readonly pid: number | undefined;
  /** Whether the context that this render would use is open. */
  holds(request: AuditRequest | RenderRequest): boolean;
}

interface OpenContext {
  context: BrowserContext;
  page: MailPage;
}

/** By `contextKey`, in the order of their last use. */
type OpenContexts = Map<string, OpenContext>;

const CONTEXTS_MAX = 3;
const RENDER_TIMEOUT_MS = 30_000;

/** One Chromium that makes one picture at a time; starts when first needed, and again after a crash or overrun. */
export function createChromium(starter: ChromiumStarter, limits: ChromiumLimits = {}): ChromiumRenderer {
  const { contextsMax = CONTEXTS_MAX, renderTimeoutMs = RENDER_TIMEOUT_MS } = limits;
  const { version } = starter.install;
  const supervisor = superviseChromium<OpenContexts>(starter, { limits, keep: () => new Map() });
  let last: Promise<unknown> = Promise.resolve();

  const workNow = async <T>(request: AuditRequest | RenderRequest, signal: AbortSignal, work: Work<T>): Promise<T> => {
    if (signal.aborted) throw calledOff(signal);
    const used = await supervisor.acquire();
    const onAbort = (): void => { void supervisor.discard(used, calledOff(signal)); };
    const timer = setTimeout(() => {
      void supervisor.discard(used, new RenderError('timeout', `The render took more than ${renderTimeoutMs} ms; the browser was ended.`));
    }, renderTimeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([workIn(used, contextKey(request), { contextsMax, work }), used.gone]);
    } catch (error) {
      throw await explain(used, contextKey(request), error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      await supervisor.wear(used);
    }
  };

  /** One after another. */
  const work = <T>(request: AuditRequest | RenderRequest, signal: AbortSignal, what: Work<T>): Promise<T> => {
    const next = last.then(() => workNow(request, signal, what));
    last = next.catch(() => {});
    return next;
  };

  return {
    engine: 'chromium',
    version,
    get pid() { return supervisor.running?.process.pid; },
    holds: (request) => supervisor.running?.kept.has(contextKey(request)) ?? false,
    async warm() { await supervisor.acquire(); },
    async render(request, signal) {
      const rendering = await work(request, signal, (page) => page.render(request));
      return { ...rendering, engine: { name: 'chromium', version } };
    },
    async audit(request, signal) {
      return { ...await work(request, signal, (page) => page.audit(request)), browser: version };
    },
    close: () => supervisor.close(),
  };
}

function calledOff(signal: AbortSignal): RenderError {
  return new RenderError('aborted', 'The render was called off.', signal.reason);
}

/** Renders that may share a browser context. What one set of assets has put into its cache stays out of the next one's. */
function contextKey({ scope, assetsKey = '' }: AuditRequest | RenderRequest): string {
  return JSON.stringify([scope, assetsKey]);
}

type Work<T> = (page: MailPage) => Promise<T>;

async function workIn<T>(used: Running<OpenContexts>, key: string, { contextsMax, work }: { contextsMax: number; work: Work<T> }): Promise<T> {
  const open = used.kept.get(key) ?? await openContext(used, contextsMax);
  used.kept.delete(key);
  used.kept.set(key, open);
  return work(open.page);
}

/** A fresh context; the one that was used longest ago makes room for it. */
async function openContext(used: Running<OpenContexts>, contextsMax: number): Promise<OpenContext> {
  while (used.kept.size >= contextsMax) {
    const [oldest, { context }] = used.kept.entries().next().value!;
    used.kept.delete(oldest);
    await context.close();
  }
  const context = await used.process.browser.createBrowserContext({ downloadBehavior: { policy: 'deny' } });
  return { context, page: await openMailPage(context) };
}

/** What went wrong, in our words; a context whose render failed is not used again. */
async function explain(used: Running<OpenContexts>, key: string, error: unknown): Promise<RenderError> {
  const open = used.kept.get(key);
  used.kept.delete(key);
  const why = error instanceof RenderError ? error : new RenderError('crashed', 'The page went away during the render.', error);
  if (open !== undefined && used.process.browser.connected) {
    await Promise.race([open.context.close(), used.gone]).catch(() => {});
  }
  // A process that died shows as a protocol error first: the reason it gives itself is the better one.
  return Promise.race([used.gone.catch((gone: RenderError) => gone), Promise.resolve().then(() => why)]);
}
