// Chooses the strongest isolation that this machine's browser really starts with, and stays with it.
import { startChromium, sweepProfiles, type ChromiumProcess } from './process.ts';
import type { ChromiumInstall } from './install.ts';
import { isolationPlans, type IsolationPlan } from '../guard/isolation.ts';
import { DEFAULT_EFFORT } from '../guard/render-bounds.ts';

/** The part of a structured log that the browser needs. */
export interface BrowserLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

interface ChromiumStarterOptions {
  install: ChromiumInstall;
  fontsConf: string;
  /** What each process of the browser may have of memory. Default: a GiB. */
  processBytesMax?: number;
  log: BrowserLog;
}

export interface ChromiumStarter {
  readonly install: ChromiumInstall;
  /** The plan in use, or the one that will be tried first. */
  readonly plan: IsolationPlan;
  /** Starts one process, or ends it as soon as the signal says so. Throws `RenderError` (`start_failed`). */
  start(signal?: AbortSignal): Promise<ChromiumProcess>;
}

const ATTEMPTS_PER_PLAN = 2;

/** Probes the machine once; a plan that never started is given up for the next one, with a warning. */
export async function createChromiumStarter(options: ChromiumStarterOptions): Promise<ChromiumStarter> {
  const { install, fontsConf, log, processBytesMax = DEFAULT_EFFORT.processBytesMax } = options;
  await sweepProfiles();
  const plans = await isolationPlans([install.executablePath, fontsConf], processBytesMax);
  if (!plans[0]!.hasNoNetwork)
    log.warn(
      { plan: plans[0]!.description },
      'no network namespace for the browser: its network is closed by proxy rules only',
    );
  else if (!plans[0]!.hasSandbox) log.warn({ plan: plans[0]!.description }, 'the browser runs without its own sandbox');
  if (plans[0]!.processBytes === undefined)
    log.warn(
      { plan: plans[0]!.description },
      'no prlimit: the memory of the browser is watched by us, not bounded by the system',
    );
  let index = 0;
  let isProven = false;
  let failures = 0;

  const start = async (signal?: AbortSignal): Promise<ChromiumProcess> => {
    for (;;) {
      const tried = index;
      try {
        const started = await startChromium({ install, fontsConf, plan: plans[tried]!, signal });
        isProven ||= tried === index;
        return started;
      } catch (error) {
        if (isProven || signal?.aborted) throw error;
        if (tried !== index) continue; // a start beside this one has moved on already
        failures += 1;
        if (failures < ATTEMPTS_PER_PLAN) continue;
        if (index + 1 >= plans.length) throw error;
        index += 1;
        failures = 0;
        log.warn(
          { err: error, plan: plans[index]!.description },
          'the browser does not start with this isolation; trying the next',
        );
      }
    }
  };
  return {
    install,
    get plan() {
      return plans[index]!;
    },
    start,
  };
}
