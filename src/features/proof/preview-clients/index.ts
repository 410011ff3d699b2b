// The catalog of email clients. The clients are data (`data/clients`); this says how each is made here:
// by the real client, by its engine, or emulated in another one when its own is not installed.
import { CLIENTS, type ClientProfile, type Fidelity } from '../../../engines/client-emulation/index.ts';
import type { Browser } from '../../../platform/browser/index.ts';
import { defineFeature, endpoint } from '../../../platform/feature/index.ts';
import { listClients } from './contract.ts';

export { PublishedBehaviors } from './contract.ts';
import { clientView, type ClientEngine } from './view.ts';

/** Without its own engine a client is emulated, whatever it would have been. */
export function fidelityWith(profile: ClientProfile, engineName: string): Fidelity {
  return engineName === profile.engine ? profile.fidelity : 'emulated';
}

/** The engine that shows this client here. */
export function engineFor(browser: Browser, profile: ClientProfile): ClientEngine {
  const renderer = browser.pick(profile.engine, profile.colorScheme);
  return { name: renderer.engine, version: renderer.version, fidelity: fidelityWith(profile, renderer.engine) };
}

export default defineFeature({
  name: 'preview-clients',
  endpoints: [
    endpoint(listClients, async (ctx) => ({
      clients: Object.fromEntries(
        CLIENTS.map((profile) => [profile.id, clientView(profile, engineFor(ctx.browser, profile))]),
      ),
    })),
  ],
});
