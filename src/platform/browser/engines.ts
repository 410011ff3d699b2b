// The engines that a machine may have beside Chromium. Each is probed; none is required.
import type { BrowserLog } from './chromium-start.ts';
import { createFirefox, probeFirefox } from './firefox.ts';
import { createThunderbird, probeThunderbird } from './thunderbird.ts';
import type { Renderer } from './types.ts';
import { createWebkit, probeWebkit } from './webkit.ts';

export interface OptionalEngine {
  renderer: Renderer;
  /** One line for the start-up summary. */
  summary: string;
}

export interface OptionalEngineOptions {
  fontsConf: string;
  log: BrowserLog;
}

/** The optional engines of this machine. Nothing is started yet. */
export async function optionalEngines({ fontsConf, log }: OptionalEngineOptions): Promise<OptionalEngine[]> {
  const shared = { fontconfigFile: fontsConf, log };
  const [firefox, webkit, thunderbird] = await Promise.all([probeFirefox(), probeWebkit(shared), probeThunderbird()]);
  const renderers = [
    ...(firefox === undefined ? [] : [createFirefox({ ...firefox, ...shared })]),
    ...(webkit === undefined ? [] : [createWebkit({ ...webkit, ...shared })]),
    ...(thunderbird === undefined ? [] : [createThunderbird({ ...thunderbird, ...shared })]),
  ];
  return renderers.map((renderer) => ({ renderer, summary: `${renderer.version} (${renderer.isolation})` }));
}
