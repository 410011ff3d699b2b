// What the checks need of the outside, without a server: a browser and the network; no database, no queue.
import { openBrowser } from '../../../platform/browser/index.ts';
import { systemClock } from '../../../platform/clock/index.ts';
import { computeHere } from '../../../platform/compute/index.ts';
import { readConfig } from '../../../platform/config/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { createAddressesOf } from '../../../platform/dns/index.ts';
import { createFetch } from '../../../platform/fetch/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import type { Lists } from '../../../platform/ports/index.ts';
import { VERSION } from '../../version.ts';

function absent<Door extends object>(name: string): Door {
  return new Proxy({} as Door, {
    get(_target, property) {
      throw new Error(`${name} is not available without a server (${String(property)} was requested).`);
    },
  });
}

/** Closing ends the browser and the connections. Throws `RenderError` where there is no browser. */
export async function openDoors(lists: Lists): Promise<{ outside: Outside; close: () => Promise<void> }> {
  const config = readConfig(process.env);
  const log = createLog(process.env['GALLEY_LOG_LEVEL'] === undefined ? 'silent' : config.logLevel);
  const fetch = createFetch({
    allowHosts: config.fetch.allowHosts,
    resolver: createAddressesOf(config.dns.servers),
    userAgent: `Galley/${VERSION} (email check)`,
  });
  const browser = await openBrowser({
    chromiumPath: config.render.chromiumPath,
    size: config.render.browsers,
    optionalEngines: config.render.engines,
    effort: config.render,
    log,
  });
  // Only features whose outside systems exist here can run; the others throw when they are used.
  const outside: Outside = {
    ...({} as Outside),
    config,
    log,
    fetch,
    browser,
    compute: computeHere,
    blobs: absent('object store'),
    clock: systemClock,
    db: absent('database'),
    jobs: absent('queue'),
    lists,
  };
  return {
    outside,
    async close() {
      await browser.close();
      fetch.close();
    },
  };
}
