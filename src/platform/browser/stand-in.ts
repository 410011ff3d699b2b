// An optional engine that does not start: Chromium draws in its place at once, until the engine starts again.
import type { BrowserLog } from './chromium/start.ts';
import { RenderError } from './errors.ts';
import type { Renderer, RenderRequest } from './types.ts';

export interface WatchedEngine {
  /** Draws with the engine, or with Chromium while the engine does not start; the answer's `engine` says which. */
  readonly renderer: Renderer;
  /** Whether the engine starts, as far as is known. After a while without it, it is tried again beside the work. */
  isUsable(): boolean;
  /** Why the engine does not start, with what its program printed; undefined while nothing is known against it. */
  readonly failure: string | undefined;
  /** Starts the engine once and draws a small document. Resolves with the reason where that fails. */
  tryOut(): Promise<string | undefined>;
}

interface WatchOptions {
  engine: Renderer;
  /** Another renderer of the same engine for one trial; it is closed after it, so that no process stays. */
  fresh: () => Renderer;
  /** Draws in place of the engine. */
  standIn: Renderer;
  log: BrowserLog;
  /** After so long without the engine it is tried again, and each time that it fails twice as long. Default 1 minute. */
  againMs?: number;
}

/** A machine that was too busy is soon well again; an engine that is broken is not tried every minute. */
const AGAIN_MS = 60_000;
const AGAIN_MS_MAX = 10 * 60_000;
const REASON_CHARS_MAX = 2_000;

const SMALL: Omit<RenderRequest, 'assets'> = {
  html: '<p>It starts',
  scope: 'trial',
  width: 320,
  height: 240,
  pixelRatio: 1,
  colorScheme: 'light',
  forceDark: false,
  heightMax: 240,
  message: {
    raw: Buffer.from('Subject: trial\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>It starts\r\n'),
    images: false,
  },
};

/** The messages of an error and of its causes, one after the other. */
function reasonsOf(error: unknown): string {
  const reasons: string[] = [];
  for (let one: unknown = error; one !== undefined && one !== null && reasons.length < 5;) {
    reasons.push(one instanceof Error ? one.message : String(one));
    one = one instanceof Error ? one.cause : undefined;
  }
  return [...new Set(reasons)].join(' ').slice(0, REASON_CHARS_MAX);
}

/** Watches whether an engine starts, and lets `standIn` draw while it does not. */
export function watchEngine({ engine, fresh, standIn, log, againMs = AGAIN_MS }: WatchOptions): WatchedEngine {
  const { version } = engine;
  let failed: { reason: string; at: number; times: number } | undefined;
  /** Calls off what waits for the engine when it turns out not to start. */
  let hopes = new AbortController();
  let trial: Promise<string | undefined> | undefined;

  const note = (error: unknown): void => {
    failed = { reason: reasonsOf(error), at: performance.now(), times: (failed?.times ?? 0) + 1 };
    log.warn({ engine: version, reason: failed.reason }, 'an engine does not start; Chromium stands in for it');
    hopes.abort();
    hopes = new AbortController();
  };
  const tryOnce = async (): Promise<string | undefined> => {
    const tried = fresh();
    try {
      await tried.render({ ...SMALL, assets: async () => undefined }, new AbortController().signal);
      if (failed) log.info({ engine: version }, 'the engine starts again');
      failed = undefined;
    } catch (error) {
      note(error);
    } finally {
      await tried.close();
    }
    return failed?.reason;
  };
  const tryOut = (): Promise<string | undefined> => {
    trial ??= tryOnce().finally(() => (trial = undefined));
    return trial;
  };
  const render: Renderer['render'] = async (request, signal) => {
    if (failed) return standIn.render(request, signal);
    const hope = hopes.signal;
    try {
      return await engine.render(request, AbortSignal.any([signal, hope]));
    } catch (error) {
      if (signal.aborted || !(error instanceof RenderError)) throw error;
      const isHopeless = hope.aborted && error.reason === 'aborted';
      if (!isHopeless && error.reason !== 'start_failed') throw error;
      if (!hope.aborted) note(error);
      return standIn.render(request, signal);
    }
  };

  return {
    renderer: { engine: engine.engine, version, render, close: () => engine.close() },
    isUsable() {
      const waitMs = Math.min(AGAIN_MS_MAX, againMs * 2 ** ((failed?.times ?? 1) - 1));
      if (failed && performance.now() - failed.at > waitMs) void tryOut();
      return failed === undefined;
    },
    get failure() {
      return failed?.reason;
    },
    tryOut,
  };
}
