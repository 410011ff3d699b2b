// The Chromium engine: one process that does one thing at a time.
import type { Auditor, AuditRequest } from './axe-types.ts';
import { createContexts, type ChromiumContexts } from './chromium-contexts.ts';
import type { MailPage } from './chromium-page.ts';
import type { ChromiumStarter } from './chromium-start.ts';
import { superviseChromium, type Running, type WearLimits } from './chromium-supervisor.ts';
import { RenderError } from './errors.ts';
import type { Renderer, RenderRequest } from './types.ts';

export interface ChromiumLimits extends WearLimits {
  /** Browser contexts that stay open. Default 3. */
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

type Work<T> = (page: MailPage) => Promise<T>;

const CONTEXTS_MAX = 3;
const RENDER_TIMEOUT_MS = 30_000;
/** After so long without work a spare context is opened; sooner it would slow the next render of the same test. */
const IDLE_MS = 250;

/** Starts Chromium when it is first needed, and again after a crash or overrun. */
export function createChromium(starter: ChromiumStarter, limits: ChromiumLimits = {}): ChromiumRenderer {
  const { contextsMax = CONTEXTS_MAX, renderTimeoutMs = RENDER_TIMEOUT_MS } = limits;
  const { version } = starter.install;
  const supervisor = superviseChromium<ChromiumContexts>(starter, { limits, keep: ({ browser }) => createContexts(browser, contextsMax) });
  let last: Promise<unknown> = Promise.resolve();
  let idleTimer: NodeJS.Timeout | undefined;

  const workNow = async <T>(request: AuditRequest | RenderRequest, signal: AbortSignal, work: Work<T>): Promise<T> => {
    if (signal.aborted) throw calledOff(signal);
    const used = await supervisor.acquire();
    const onAbort = (): void => { void supervisor.discard(used, calledOff(signal)); };
    const timer = setTimeout(() => {
      void supervisor.discard(used, new RenderError('timeout', `The render took more than ${renderTimeoutMs} ms; the browser was ended.`));
    }, renderTimeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([used.kept.pageFor(request).then(work), used.gone]);
    } catch (error) {
      throw await explain(used, request, error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      await supervisor.wear(used);
    }
  };
  /** A failure is left to the render that would have used the spare context: it opens its own. */
  const openSpare = (): void => { supervisor.running?.kept.openSpare().catch(() => {}); };
  /** One after another. */
  const work = <T>(request: AuditRequest | RenderRequest, signal: AbortSignal, what: Work<T>): Promise<T> => {
    const next = last.then(() => {
      clearTimeout(idleTimer);
      return workNow(request, signal, what);
    }).finally(() => {
      clearTimeout(idleTimer);
      idleTimer = setTimeout(openSpare, IDLE_MS).unref();
    });
    last = next.catch(() => {});
    return next;
  };

  return {
    engine: 'chromium',
    version,
    get pid() { return supervisor.running?.process.pid; },
    holds: (request) => supervisor.running?.kept.holds(request) ?? false,
    async warm() {
      await supervisor.acquire();
      openSpare();
    },
    async render(request, signal) {
      const rendering = await work(request, signal, (page) => page.render(request));
      return { ...rendering, engine: { name: 'chromium', version } };
    },
    async audit(request, signal) {
      return { ...await work(request, signal, (page) => page.audit(request)), browser: version };
    },
    close() {
      clearTimeout(idleTimer);
      return supervisor.close();
    },
  };
}

function calledOff(signal: AbortSignal): RenderError {
  return new RenderError('aborted', 'The render was called off.', signal.reason);
}

/** What went wrong, in our words. */
async function explain(used: Running<ChromiumContexts>, request: AuditRequest | RenderRequest, error: unknown): Promise<RenderError> {
  const why = error instanceof RenderError ? error : new RenderError('crashed', 'The page went away during the render.', error);
  if (used.process.browser.connected) await Promise.race([used.kept.close(request), used.gone]).catch(() => {});
  // A process that died shows as a protocol error first: the reason it gives itself is the better one.
  return Promise.race([used.gone.catch((gone: RenderError) => gone), Promise.resolve().then(() => why)]);
}
