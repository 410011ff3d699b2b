// The engines that are used where the machine has them: nothing needs them, and each says how it is kept from the machine.
import type { BrowserLog } from './chromium-start.ts';
import { createFirefox, probeFirefox } from './firefox.ts';
import { createThunderbird, probeThunderbird } from './thunderbird.ts';
import type { Renderer } from './types.ts';
import { createWebkit, probeWebkit } from './webkit.ts';

export interface OptionalEngineOptions {
  /** `fonts.conf` of the prepared fonts. */
  fontconfigFile: string;
  /** Where profiles and messages lie while they are needed. Default: the system's temporary directory. */
  workDir?: string;
  log: BrowserLog;
}

export interface OptionalEngines {
  /** Not started yet: each starts at its first render and ends after a time without one. */
  renderers: Renderer[];
  /** One line per engine for the start-up summary. */
  summary: string[];
}

type Found = Renderer & { readonly isolation: string };

/** Looks for Thunderbird, Firefox and WebKitGTK. Never throws for an engine that is absent or does not work. */
export async function openOptionalEngines(options: OptionalEngineOptions): Promise<OptionalEngines> {
  const looks: Promise<Found | undefined>[] = [
    probeThunderbird().then((install) => install && createThunderbird({ ...options, ...install })),
    probeFirefox().then((install) => install && createFirefox({ ...options, ...install })),
    probeWebkit(options).then((install) => install && createWebkit({ ...options, ...install })),
  ];
  const renderers = (await Promise.all(looks)).filter((renderer) => renderer !== undefined);
  return { renderers, summary: renderers.map(({ version, isolation }) => `${version} (${isolation})`) };
}
