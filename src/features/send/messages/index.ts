// Messages of the sending API: taken for all of their recipients or for none, durable at the answer, read back for
// three days. Each recipient is a delivery in the queue, which goes when it is settled; what happened to it is told by
// its events.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { expire } from './jobs.ts';
import { endpoints } from './routes.ts';

export { submitForm, submitMail, submitParts, submitToMembers, type Sending } from './actions.ts';
export { composeForm } from './compose.ts';
export { compileCopies } from './computations.ts';
export { MESSAGE_FORM, MessageFields } from './contract.ts';
export { readContent, type MessageContent } from './content.ts';
export { claimDeliveries, claimSpots, listSpots, listStreams, promoteDue, type Stream } from './claim-store.ts';
export {
  deferDeliveries,
  holdDeliveries,
  listTaken,
  releaseClaims,
  releaseLost,
  renewClaims,
  settleDeliveries,
  type Delivery,
} from './queue-store.ts';
export { onQueueWake, wakeQueue } from './queue-wake.ts';
export { messageGates, NoRoomNow } from './gates.ts';
export { keepIncoming, type KeptIncoming } from './incoming.ts';
export { composeSample } from './sample.ts';
export { readBack } from './stored.ts';
export { passedOn } from './passed-on.ts';
export { recipientChecks } from './recipient-checks.ts';
export { zoneIn } from './recipient-zone.ts';
export { mailboxesOf } from './recipients.ts';
export { listMessageIds, type MessageTest } from './search-store.ts';
export {
  findContent,
  findFacts,
  findTaken,
  listFacts,
  listTags,
  type LastAttempt,
  type ListCopy,
  type MessageFacts,
  type SentMessage,
} from './store.ts';
export { deliverySecret, returnPathOf, trackedLinksOf, unsubscribeLinksOf } from './tokens.ts';
export { hasReaderLinks, namesOf, oneClickOf } from './unsubscribe-links.ts';
export { CALENDAR, LIMITS, makeAllHeldBackDue } from './held-back.ts';
export { dropStopped, extendContents, hasOpenDeliveries, releaseStopped, stopOf, stopPlaces } from './stopped-store.ts';
export {
  countTaken,
  countWaitingOf,
  deleteWaiting,
  findByKey,
  listIdsByName,
  listWaiting,
  listWaitingDestinations,
  listWaitingMessages,
  listWaitingOf,
  makeAllDue,
  makeDue,
  releaseHeld,
  WAITING_MAX,
  type WaitingDelivery,
  type WaitingDestination,
  type WaitingMessage,
} from './waiting-store.ts';

export default defineFeature({
  name: 'messages',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [expire],
});
