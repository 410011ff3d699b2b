// The Chromium engine: one process that does one thing at a time.
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'puppeteer-core';
import type { Auditor, AuditRequest } from '../axe/types.ts';
import { createContexts, type ChromiumContexts } from './contexts.ts';
import type { MailPage } from './page.ts';
import { divertBytes } from './picture-bytes.ts';
import type { ChromiumStarter } from './start.ts';
import { superviseChromium, type ChromiumSupervisor, type Running, type WearLimits } from './supervisor.ts';
import { RenderError } from '../errors.ts';
import { boundsFor, effortBounds, meterRender, type RenderBounds, type RenderMeter } from '../guard/render-bounds.ts';
import type { Renderer, RenderRequest } from '../types.ts';

export interface ChromiumLimits extends WearLimits {
  /** Browser contexts that stay open. Default 3. */
  contextsMax?: number;
  /** One render, from navigation to picture. Default: a quick one's. */
  bounds?: RenderBounds;
  auditBounds?: RenderBounds;
  /** After so long without work the process is ended. Default: never. */
  idleMsMax?: number;
}

export interface ChromiumRenderer extends Renderer, Auditor {
  /** Starts the process now instead of at the first render. */
  warm(): Promise<void>;
  /** The process that runs now, if any. */
  readonly pid: number | undefined;
  /** Whether the context that this render would use is open. */
  holds(request: AuditRequest | RenderRequest): boolean;
  /** Whether its page is, too, and takes the document in place of the one that is there. */
  continuesWith(request: AuditRequest | RenderRequest): boolean;
}

type Used = Running<ChromiumContexts>;
type Work<T> = (page: MailPage) => Promise<T>;

/** The pipe on which a browser answers. */
const ANSWERS = 4;
const CONTEXTS_MAX = 3;
/** After so long without work a spare context is opened; sooner it would slow the next render of the same test. */
const IDLE_MS = 250;
/** To open a context, to end a page, to draw a small page after that: a browser that needs longer is ended. */
const OPEN_MS = 30_000;
const CRASH_MS = 1_000;
const DRAW_MS = 3_000;

type BoundedWork = <T>(request: AuditRequest | RenderRequest, signal: AbortSignal, work: Work<T>) => Promise<T>;

/** Does the work in a page of the running process. What takes more than its bounds loses that page, or the process. */
function boundedWork(supervisor: ChromiumSupervisor<ChromiumContexts>, limits: ChromiumLimits): BoundedWork {
  const { bounds = effortBounds().quick, auditBounds = effortBounds().audit } = limits;
  const endOverrun = async (used: Used, page: MailPage, error: RenderError): Promise<void> => {
    if (!(await isGoodWithout(used, page))) await supervisor.discard(used, error);
  };
  return async <T>(request: AuditRequest | RenderRequest, signal: AbortSignal, work: Work<T>): Promise<T> => {
    if (signal.aborted) throw calledOff(signal);
    const used = await supervisor.acquire();
    const over = Promise.withResolvers<never>();
    over.promise.catch(() => {}); // heard in the race below
    let overrun: { error: RenderError; ended: Promise<void> } | undefined;
    let meter: RenderMeter | undefined;
    const onAbort = (): void => {
      void supervisor.discard(used, calledOff(signal));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const page = await openWithin(used, request);
      meter = meterRender(used.process.pid, boundsFor(request, 'rules' in request ? auditBounds : bounds), (error) => {
        overrun = { error, ended: endOverrun(used, page, error) };
        over.reject(error);
      });
      return await Promise.race([work(page), used.gone, over.promise]);
    } catch (error) {
      meter?.stop();
      await overrun?.ended;
      throw await explain(used, request, { error: overrun?.error ?? error, meter });
    } finally {
      meter?.stop();
      signal.removeEventListener('abort', onAbort);
      await supervisor.wear(used, meter?.memoryBytes ?? 0);
    }
  };
}

function openContexts(browser: Browser, contextsMax: number): ChromiumContexts {
  divertBytes(browser.process()!.stdio[ANSWERS] as Readable);
  return createContexts(browser, contextsMax);
}

/** Starts Chromium when it is first needed, and again after a crash. */
export function createChromium(starter: ChromiumStarter, limits: ChromiumLimits = {}): ChromiumRenderer {
  const { contextsMax = CONTEXTS_MAX, idleMsMax = Number.POSITIVE_INFINITY } = limits;
  const { version } = starter.install;
  const supervisor = superviseChromium<ChromiumContexts>(starter, {
    limits,
    keep: ({ browser }) => openContexts(browser, contextsMax),
  });
  let last: Promise<unknown> = Promise.resolve();
  let idleTimer: NodeJS.Timeout | undefined;

  const workNow = boundedWork(supervisor, limits);
  /** A failure is left to the render that would have used the spare context: it opens its own. */
  const openSpare = (): void => {
    supervisor.running?.kept.openSpare().catch(() => {});
  };
  const endIdle = (): void => {
    if (supervisor.running)
      void supervisor.discard(supervisor.running, new RenderError('closed', 'The browser had nothing to do.'));
  };
  const rest = (): void => {
    clearTimeout(idleTimer);
    idleTimer = Number.isFinite(idleMsMax)
      ? setTimeout(endIdle, idleMsMax).unref()
      : setTimeout(openSpare, IDLE_MS).unref();
  };
  /** One after another. */
  const work = <T>(request: AuditRequest | RenderRequest, signal: AbortSignal, what: Work<T>): Promise<T> => {
    const next = last
      .then(() => {
        clearTimeout(idleTimer);
        return workNow(request, signal, what);
      })
      .finally(rest);
    last = next.catch(() => {});
    return next;
  };

  return {
    engine: 'chromium',
    version,
    get pid() {
      return supervisor.running?.process.pid;
    },
    holds: (request) => supervisor.running?.kept.holds(request) ?? false,
    continuesWith: (request) => supervisor.running?.kept.continuesWith(request) ?? false,
    async warm() {
      await supervisor.acquire();
      openSpare();
    },
    async render(request, signal) {
      const rendering = await work(request, signal, (page) => page.render(request));
      return { ...rendering, engine: { name: 'chromium', version } };
    },
    async audit(request, signal) {
      return { ...(await work(request, signal, (page) => page.audit(request))), browser: version };
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

/** Ends the page. True: the browser can still draw. */
async function isGoodWithout(used: Used, page: MailPage): Promise<boolean> {
  return (await within(CRASH_MS, page.crash())) && within(DRAW_MS, used.kept.drawSpare());
}

/** Whether the work was done in time. What becomes of it later is of no interest. */
async function within(ms: number, work: Promise<void>): Promise<boolean> {
  const done = work.then(
    () => true,
    () => false,
  );
  return Promise.race([done, wait(ms, false, { ref: false })]);
}

/** The page for this render. A browser that opens none has broken down, whatever document comes next. */
async function openWithin(used: Used, request: AuditRequest | RenderRequest): Promise<MailPage> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new RenderError('crashed', 'The browser opened no page.')), OPEN_MS);
  try {
    return await Promise.race([used.kept.pageFor(request), used.gone, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What went wrong, in our words. */
async function explain(
  used: Used,
  request: AuditRequest | RenderRequest,
  { error, meter }: { error: unknown; meter: RenderMeter | undefined },
): Promise<RenderError> {
  if (used.process.browser.connected) await Promise.race([used.kept.close(request), used.gone]).catch(() => {});
  const heard =
    error instanceof RenderError ? error : new RenderError('crashed', 'The page went away during the render.', error);
  // A process that died shows as a protocol error first: the reason it gives itself is the better one.
  const why = used.process.browser.connected ? heard : await used.gone.catch((gone: RenderError) => gone);
  if (why.reason === 'broke' && meter !== undefined) return meter.explainBreak(why);
  why.cpuMs ||= meter?.cpuMs ?? 0;
  return why;
}
