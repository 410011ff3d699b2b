// Inbox placement: a message goes to every address of a seed list, and a result says for each where it landed, with
// what the counts are worth and whether they differ from the last time. A seed list may also be mailed to from
// anywhere: what comes in at its local addresses becomes a result by itself. Results are kept for 91 days.
import { defineFeature, migrationsIn, type MailReceiver } from '../../../platform/feature/index.ts';
import { placements } from './deliveries.ts';
import { placementChanged, placementEnded } from './facts.ts';
import { erase, expire } from './jobs.ts';
import { hasTarget } from './lists-store.ts';
import { endpoints } from './routes.ts';

export { startTest } from './actions.ts';
export { PlacementBody } from './contract.ts';
export { placementChanged, placementEnded } from './facts.ts';
export { countInboxes, countInboxesOf, inboxSentences, type InboxCounts } from './inbox-counts.ts';
export { findNewest, findResult } from './results-store.ts';

/** The list's own address stands among those that are mailed to, and takes the message; results come from the seeds. */
const target: MailReceiver = {
  name: 'target addresses of seed lists',
  accepts: async ({ db }, address) => /^ibp-/i.test(address) && (await hasTarget(db, address.toLowerCase())),
  receive: async () => undefined,
};

export default defineFeature({
  name: 'inbox-placement',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [erase, expire, ...placements.jobs],
  tells: [placementChanged, placementEnded],
  mailReceivers: [placements.mailReceiver, target],
});
