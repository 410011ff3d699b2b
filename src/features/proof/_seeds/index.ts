// Seeds: addresses that tests send to in order to see where a message lands. Two kinds behind one interface: local
// receivers, which are Galley's own hosts and always there, and mailboxes that an account owns at providers.
// A delivery (one message to one seed) is marked before it is sent, is sent once, and ends once, at its deadline at the
// latest.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { sweep, visitMailbox } from './jobs.ts';
import { endpoints } from './routes.ts';
import { senderDomains } from './sender-domains.ts';

export { defineSeedTest } from './actions.ts';
export { composeSigned } from './compose-signed.ts';
export { examineOnce, factsOf, isOwnAddress, placementInput, signaturesBy, type Examination } from './examine.ts';
export type { SeedMessage } from './hand-over.ts';
export { chooseSeeds, listProviders } from './providers.ts';
export { senderDomains, type SenderDomain } from './sender-domains.ts';
export { passingSender, standInSender, verifiedSender, type Sender, type SenderDoors } from './senders.ts';
export { readEnvelope } from './envelope.ts';
export { readHeaders } from './given-headers.ts';
export { countOpen, verdictName } from './store.ts';
export type { AssumedEnvelope, Seed, SeedDelivery, SeedProvider } from './store.ts';

export default defineFeature({
  name: 'seeds',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [sweep, visitMailbox],
  ports: [senderDomains],
});
