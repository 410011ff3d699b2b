// The Chromium engine: one process, one browser context per scope, one page per context.
import type { BrowserContext } from 'puppeteer-core';
import { openMailPage, type MailPage } from './chromium-page.ts';
import type { ChromiumProcess } from './chromium-process.ts';
import type { ChromiumStarter } from './chromium-start.ts';
import { RenderError } from './errors.ts';
import { memoryOfTree } from './process-tree.ts';
import type { Renderer, RenderRequest, Rendering } from './types.ts';

export interface ChromiumLimits {
  /** Scopes whose context stays open. Default 3. */
  scopesMax?: number;
  /** One render, from navigation to picture; then the process is ended. Default 30,000. */
  renderTimeoutMs?: number;
  /** After so many renders, so long, or above so much memory the process is replaced. */
  rendersMax?: number;
  ageMsMax?: number;
  memoryBytesMax?: number;
}

export interface ChromiumRenderer extends Renderer {
  /** Starts the process now instead of at the first render. */
  warm(): Promise<void>;
  /** The process that runs now, if any. */
  readonly pid: number | undefined;
  /** Whether the context that this render would use is open. */
  holds(request: RenderRequest): boolean;
}

interface Scope {
  context: BrowserContext;
  page: MailPage;
}

/** A running process with what is open in it. Scopes are kept in the order of their last use. */
interface Running {
  process: ChromiumProcess;
  scopes: Map<string, Scope>;
  startedAt: number;
  renders: number;
  /** Rejects when the process goes away or is told to. */
  gone: Promise<never>;
  fail: (error: RenderError) => void;
}

const MEMORY_CHECK_EVERY = 10;

/** One Chromium that makes one picture at a time; starts when first needed, and again after a crash or overrun. */
export function createChromium(starter: ChromiumStarter, limits: ChromiumLimits = {}): ChromiumRenderer {
  const { scopesMax = 3, renderTimeoutMs = 30_000, rendersMax = 200, ageMsMax = 30 * 60_000, memoryBytesMax = 2 ** 30 } = limits;
  const { version } = starter.install;
  let running: Running | undefined;
  let starting: Promise<Running> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const start = async (): Promise<Running> => {
    const process = await starter.start();
    const { promise: gone, reject } = Promise.withResolvers<never>();
    gone.catch(() => {}); // heard by the render that runs, if one does
    const started: Running = { process, scopes: new Map(), startedAt: performance.now(), renders: 0, gone, fail: reject };
    process.browser.once('disconnected', () => {
      if (running === started) running = undefined;
      reject(new RenderError('crashed', `${version} went away.`));
      void process.end();
    });
    if (isClosed) {
      await process.end();
      throw new RenderError('closed', 'The browser was closed.');
    }
    return started;
  };
  const acquire = async (): Promise<Running> => {
    if (isClosed) throw new RenderError('closed', 'The browser was closed.');
    if (running !== undefined) return running;
    starting ??= start().finally(() => { starting = undefined; });
    running = await starting;
    return running;
  };
  const discard = async (used: Running, error: RenderError): Promise<void> => {
    if (running === used) running = undefined;
    used.fail(error);
    await used.process.end();
  };
  const isWornOut = async (used: Running): Promise<boolean> => {
    if (used.renders >= rendersMax || performance.now() - used.startedAt > ageMsMax) return true;
    if (used.renders % MEMORY_CHECK_EVERY !== 0) return false;
    return (await memoryOfTree(used.process.pid) ?? 0) > memoryBytesMax;
  };

  const renderNow = async (request: RenderRequest, signal: AbortSignal): Promise<Rendering> => {
    if (signal.aborted) throw new RenderError('aborted', 'The render was called off.', signal.reason);
    const used = await acquire();
    const onAbort = (): void => { void discard(used, new RenderError('aborted', 'The render was called off.', signal.reason)); };
    const timer = setTimeout(() => {
      void discard(used, new RenderError('timeout', `The render took more than ${renderTimeoutMs} ms; the browser was ended.`));
    }, renderTimeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const rendering = await Promise.race([renderIn(used, request, scopesMax), used.gone]);
      return { ...rendering, engine: { name: 'chromium', version } };
    } catch (error) {
      throw await explain(used, contextKey(request), error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      used.renders += 1;
      if (running === used && await isWornOut(used)) await discard(used, new RenderError('closed', 'The browser was replaced.'));
    }
  };

  return {
    engine: 'chromium',
    version,
    get pid() { return running?.process.pid; },
    holds: (request) => running?.scopes.has(contextKey(request)) ?? false,
    async warm() { await acquire(); },
    render(request, signal) {
      const next = last.then(() => renderNow(request, signal));
      last = next.catch(() => {});
      return next;
    },
    async close() {
      isClosed = true;
      const used = running ?? await starting?.catch(() => undefined);
      if (used !== undefined) await discard(used, new RenderError('closed', 'The browser was closed.'));
    },
  };
}

/** Renders that may share a browser context. What one set of assets has put into its cache stays out of the next one's. */
function contextKey({ scope, assetsKey = '' }: RenderRequest): string {
  return JSON.stringify([scope, assetsKey]);
}

async function renderIn(used: Running, request: RenderRequest, scopesMax: number): Promise<Omit<Rendering, 'engine'>> {
  const key = contextKey(request);
  const scope = used.scopes.get(key) ?? await openScope(used, scopesMax);
  used.scopes.delete(key);
  used.scopes.set(key, scope);
  return scope.page.render(request);
}

/** A fresh context; the one that was used longest ago makes room for it. */
async function openScope(used: Running, scopesMax: number): Promise<Scope> {
  while (used.scopes.size >= scopesMax) {
    const [oldest, scope] = used.scopes.entries().next().value!;
    used.scopes.delete(oldest);
    await scope.context.close();
  }
  const context = await used.process.browser.createBrowserContext({ downloadBehavior: { policy: 'deny' } });
  return { context, page: await openMailPage(context) };
}

/** What went wrong, in our words; a scope whose render failed is not used again. */
async function explain(used: Running, key: string, error: unknown): Promise<RenderError> {
  const scope = used.scopes.get(key);
  used.scopes.delete(key);
  const why = error instanceof RenderError ? error : new RenderError('crashed', 'The page went away during the render.', error);
  if (scope !== undefined && used.process.browser.connected) {
    await Promise.race([scope.context.close(), used.gone]).catch(() => {});
  }
  // A process that died shows as a protocol error first: the reason it gives itself is the better one.
  return Promise.race([used.gone.catch((gone: RenderError) => gone), Promise.resolve().then(() => why)]);
}
