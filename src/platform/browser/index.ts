// Screenshots of documents, made by the browser engines that this machine has.
import { join } from 'node:path';
import type { Auditor } from './axe/types.ts';
import { createChromiumStarter, type BrowserLog } from './chromium/start.ts';
import { optionalEngines } from './engines.ts';
import { findFontsConf } from './fonts/fonts.ts';
import { findChromium } from './chromium/install.ts';
import { createRenderPool } from './pool.ts';
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
  /** Where `scripts/prepare-runtime.ts` puts the browser and the fonts. Default: `.runtime` in the repository. */
  runtimeDir?: string;
  /** Chromium processes; 0, the default, is one per core. */
  size?: number;
  /** Whether Firefox, WebKit and Thunderbird are used where they are installed. Default true. */
  optionalEngines?: boolean;
  /** What one render may use. Default: 10 seconds of a processor and 1 GiB for each process of the browser. */
  effort?: EffortOptions;
  log: BrowserLog;
}

export interface Browser extends Auditor {
  /** Every engine of this machine; Chromium is always the first. */
  readonly renderers: readonly Renderer[];
  /** The renderer for an engine. Chromium stands in for one that is absent, so compare the answer's `engine`. */
  pick(engine: EngineName, colorScheme: 'light' | 'dark'): Renderer;
  /** One line per engine for the start-up summary. */
  readonly summary: readonly string[];
  /** Starts the Chromium processes now instead of at the first renders. */
  warm(): Promise<void>;
  /** Ends every engine; no process is left. */
  close(): Promise<void>;
}

const RUNTIME_DIR = join(import.meta.dirname, '../../../.runtime');

/** Finds the engines of this machine. Throws `RenderError` (`start_failed`) when there is no Chromium or no fonts. */
export async function openBrowser(options: BrowserOptions): Promise<Browser> {
  const { runtimeDir = RUNTIME_DIR, size = 0, effort = DEFAULT_EFFORT, log } = options;
  const bounds = effortBounds(effort);
  const [install, fontsConf] = await Promise.all([
    findChromium({ configuredPath: options.chromiumPath || undefined, runtimeDir }),
    findFontsConf(runtimeDir),
  ]);
  const [starter, optional] = await Promise.all([
    createChromiumStarter({ install, fontsConf, log, processBytesMax: effort.processBytesMax }),
    options.optionalEngines === false ? [] : optionalEngines({ fontsConf, effort, log }),
  ]);
  const pool = createRenderPool({ starter, bounds, ...(size > 0 ? { size } : {}) });
  const renderers: Renderer[] = [pool, ...optional.map(({ renderer }) => renderer)];
  return {
    renderers,
    summary: [
      `${install.version} (${install.origin}; ${starter.plan.description})`,
      ...optional.map(({ summary }) => summary),
    ],
    audit: (request, signal) => pool.audit(request, signal),
    pick: (engine) => renderers.find((candidate) => candidate.engine === engine) ?? pool,
    warm: () => pool.warm(),
    async close() {
      await Promise.all(renderers.map((renderer) => renderer.close()));
    },
  };
}
