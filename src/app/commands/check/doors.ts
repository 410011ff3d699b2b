// What the checks need of the outside, without a server: a browser and the network; no database, no queue.
import type { GateDoors } from '../../../features/proof/gate/index.ts';
import { openBrowser } from '../../../platform/browser/index.ts';
import { systemClock } from '../../../platform/clock/index.ts';
import { computeHere } from '../../../platform/compute/index.ts';
import { readConfig } from '../../../platform/config/index.ts';
import { createAddressesOf } from '../../../platform/dns/index.ts';
import { createFetch } from '../../../platform/fetch/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import type { Lists } from '../../../platform/ports/index.ts';
import { VERSION } from '../../version.ts';

/** Closing ends the browser and the connections. Throws `RenderError` where there is no browser. */
export async function openDoors(lists: Lists): Promise<{ outside: GateDoors; close: () => Promise<void> }> {
  const config = readConfig(process.env);
  const log = createLog(process.env['GALLEY_LOG_LEVEL'] === undefined ? 'silent' : config.logLevel);
  const fetch = createFetch({
    allowHosts: config.fetch.allowHosts,
    resolver: createAddressesOf(config.dns.servers),
    userAgent: `Galley/${VERSION} (email check)`,
  });
  const browser = await openBrowser({
    chromiumPath: config.render.chromiumPath,
    thunderbirdPath: config.render.thunderbirdPath,
    size: config.render.browsers,
    optionalEngines: config.render.engines,
    effort: config.render,
    log,
  });
  return {
    outside: { config, log, fetch, browser, compute: computeHere, clock: systemClock, lists },
    async close() {
      await browser.close();
      fetch.close();
    },
  };
}
