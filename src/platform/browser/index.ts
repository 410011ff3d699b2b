// Screenshots of documents, made by the browser engines that this machine has.
import { RUNTIME_DIR } from '../parts/index.ts';
import type { Auditor } from './axe/types.ts';
import { createChromiumStarter, type BrowserLog } from './chromium/start.ts';
import { optionalEngines } from './engines.ts';
import { findFontsConf } from './fonts/fonts.ts';
import { findChromium } from './chromium/install.ts';
import { createRenderPool } from './pool.ts';
import { provideEngine } from './provide.ts';
import { DEFAULT_EFFORT, effortBounds, type EffortOptions } from './guard/render-bounds.ts';
import type { EngineName, Renderer } from './types.ts';

export { doctypeOf } from './doctype.ts';
export { RenderError, type RenderFailure } from './errors.ts';
export { rendersOfMessage } from './one-message.ts';
export { LOOK_RULE, looksAlike, packSample, SIZE_TOLERANCE, unpackSample } from './looks.ts';
export { sampleOf, smallPicture, thumbnailsOf } from './thumbnails.ts';
export type { Asset, Rendering, RenderRequest } from './types.ts';
export type { AuditRequest, AuditResult } from './axe/types.ts';

interface BrowserOptions {
  /** The operator's Chromium (`GALLEY_CHROMIUM`), instead of the one that is found. */
  chromiumPath?: string | undefined;
  /**
   * Where the browser and the fonts are. Default: `.runtime` in a checkout, where set-up puts them; a cache of the user's
   * for an installed package, which fetches them when they are not there.
   */
  runtimeDir?: string;
  /** Chromium processes; 0, the default, is one per core. */
  size?: number;
  /** Whether Firefox, WebKit and Thunderbird are used where they are installed. Default true. */
  optionalEngines?: boolean;
  /** The operator's Thunderbird (`GALLEY_THUNDERBIRD`), instead of the one that is found. */
  thunderbirdPath?: string | undefined;
  /** What one render may use. Default: 10 seconds of a processor and 1 GiB for each process of the browser. */
  effort?: EffortOptions;
  log: BrowserLog;
}

export interface Browser extends Auditor {
  /** Every engine of this machine; Chromium is always the first. */
  readonly renderers: readonly Renderer[];
  /**
   * The renderer for an engine. Chromium stands in for one that is absent or does not start, so compare the answer's
   * `engine`.
   */
  pick(engine: EngineName, colorScheme: 'light' | 'dark'): Renderer;
  /** A sentence for readers, where this engine is installed and does not start. */
  explainStandIn(engine: EngineName): string | undefined;
  /** Starts each optional engine once, to see whether it does; says why not of those that don't, for the operator. */
  tryOut(): Promise<string[]>;
  /** One line per engine for the start-up summary. */
  readonly summary: readonly string[];
  /** Starts the Chromium processes now instead of at the first renders. */
  warm(): Promise<void>;
  /** Ends every engine; no process is left. */
  close(): Promise<void>;
}

/** Finds the engines of this machine. Throws `RenderError` (`start_failed`) when there is no Chromium or no fonts. */
export async function openBrowser(options: BrowserOptions): Promise<Browser> {
  const { runtimeDir = RUNTIME_DIR, size = 0, effort = DEFAULT_EFFORT, log } = options;
  const bounds = effortBounds(effort);
  if (runtimeDir === RUNTIME_DIR)
    await provideEngine({
      chromiumPath: options.chromiumPath,
      tell: (text) => process.stderr.write(`${text}\n`),
    });
  const [install, fontsConf] = await Promise.all([
    findChromium({ configuredPath: options.chromiumPath || undefined, runtimeDir }),
    findFontsConf(runtimeDir),
  ]);
  const starter = await createChromiumStarter({ install, fontsConf, log, processBytesMax: effort.processBytesMax });
  const pool = createRenderPool({ starter, bounds, ...(size > 0 ? { size } : {}) });
  const { thunderbirdPath } = options;
  const optional =
    options.optionalEngines === false
      ? []
      : await optionalEngines({ fontsConf, effort, log, standIn: pool, thunderbirdPath });
  const find = (engine: EngineName) => optional.find(({ renderer }) => renderer.engine === engine);
  const renderers: Renderer[] = [pool, ...optional.map(({ renderer }) => renderer)];
  return {
    renderers,
    summary: [
      `${install.version} (${install.origin}; ${starter.plan.description})`,
      ...optional.map(({ summary }) => summary),
    ],
    audit: (request, signal) => pool.audit(request, signal),
    pick(engine) {
      const found = find(engine);
      return found?.isUsable() ? found.renderer : pool;
    },
    explainStandIn(engine) {
      const found = find(engine);
      return found?.failure === undefined
        ? undefined
        : `${found.renderer.version} is installed here and does not start: ${pool.version} stands in for it.`;
    },
    async tryOut() {
      const reasons: string[] = [];
      // One after the other: each is a whole program.
      for (const { renderer, tryOut } of optional) {
        const reason = await tryOut();
        if (reason !== undefined) reasons.push(`${renderer.version} does not start: ${reason}`);
      }
      return reasons;
    },
    warm: () => pool.warm(),
    async close() {
      await Promise.all(renderers.map((renderer) => renderer.close()));
    },
  };
}
