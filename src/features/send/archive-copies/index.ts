// Copies of accepted messages, posted to the URL that a domain or a message names as its archive: one for each message,
// tried until it is taken, or for good not. Nothing of it is an event of a recipient.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { messageGates } from '../messages/index.ts';
import { archiveMessage } from './actions.ts';
import { deliverCopy, retry } from './jobs.ts';
import { endpoints } from './routes.ts';

export { ArchiveCopyView } from './contract.ts';
export { findCopyOf } from './store.ts';
export { archiveCopyView } from './view.ts';

export default defineFeature({
  name: 'archive-copies',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [deliverCopy, retry],
  adds: [addTo(messageGates, archiveMessage)],
});
