// The engines that a machine may have beside Chromium. Each is probed; none is required.
import type { BrowserLog } from './chromium/start.ts';
import { withEfforts } from './efforts.ts';
import type { WarmLimits } from './engine-warm.ts';
import { createFirefox, probeFirefox } from './gecko/firefox.ts';
import { effortBounds, type EffortBounds, type EffortOptions, type RenderBounds } from './guard/render-bounds.ts';
import { createThunderbird, probeThunderbird } from './gecko/thunderbird.ts';
import { withParts } from './part.ts';
import { watchEngine, type WatchedEngine } from './stand-in.ts';
import type { Renderer } from './types.ts';
import { createWebkit, probeWebkit } from './webkit/webkit.ts';

interface OptionalEngine extends WatchedEngine {
  /** One line for the start-up summary. */
  summary: string;
}

interface OptionalEngineOptions {
  fontsConf: string;
  effort: EffortOptions;
  /** Draws in place of an engine that does not start. */
  standIn: Renderer;
  /** The operator's Thunderbird, instead of the one that is found. */
  thunderbirdPath?: string | undefined;
  log: BrowserLog;
}

/** The patient ones are rarely needed. */
const PATIENT_IDLE_MS = 60_000;
/**
 * Whole programs take twice the time of a browser that does nothing but pictures, and one of their processes composes
 * them.
 */
const SLOWER = 2;
const LARGER = 1.5;
function boundsOf(effort: EffortOptions): EffortBounds {
  const { quick, patient, audit } = effortBounds(effort);
  const processBytes = LARGER * effort.processBytesMax;
  return {
    quick: { ...quick, cpuMs: SLOWER * quick.cpuMs, processBytes },
    patient: { ...patient, processBytes },
    audit,
  };
}

/** The optional engines of this machine. Nothing is started yet. */
export async function optionalEngines(options: OptionalEngineOptions): Promise<OptionalEngine[]> {
  const { fontsConf, effort, log, standIn, thunderbirdPath } = options;
  const shared = { fontconfigFile: fontsConf, log };
  const bounds = boundsOf(effort);
  // The system does not bound its processes: all together have what they may have.
  const together = (bound: RenderBounds): RenderBounds => ({ ...bound, processBytes: bound.memoryBytes });
  const webkits = { ...bounds, quick: together(bounds.quick), patient: together(bounds.patient) };
  const [firefox, webkit, thunderbird] = await Promise.all([
    probeFirefox(),
    probeWebkit({ ...shared, limits: { bounds: webkits.patient } }),
    probeThunderbird({ path: thunderbirdPath }),
  ]);
  const watch = watching({ standIn, log });
  return [
    ...(firefox === undefined ? [] : [watch(bounds, (limits) => createFirefox({ ...firefox, ...shared, limits }))]),
    ...(webkit === undefined ? [] : [watch(webkits, (limits) => createWebkit({ ...webkit, ...shared, limits }))]),
    ...(thunderbird === undefined
      ? []
      : [watch(bounds, (limits) => createThunderbird({ ...thunderbird, ...shared, limits }))]),
  ];
}

type Make = (limits: WarmLimits) => Renderer & { isolation: string };

/** Makes an engine for each effort, and watches whether it starts. */
function watching(options: Pick<OptionalEngineOptions, 'standIn' | 'log'>) {
  return (bounds: EffortBounds, make: Make): OptionalEngine => {
    const quick = make({ bounds: bounds.quick });
    const patient = make({ bounds: bounds.patient, idleMsMax: PATIENT_IDLE_MS });
    const watched = watchEngine({
      ...options,
      engine: withParts(withEfforts(quick, patient)),
      fresh: () => make({ bounds: bounds.patient }),
    });
    return Object.assign(watched, { summary: `${quick.version} (${quick.isolation})` });
  };
}
