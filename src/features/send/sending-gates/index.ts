// The gate in the path of sending: messages of a domain are judged before they leave, held, and released or dropped.
// A content is judged once, by a gate like any other, whatever the number of messages that have it.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { messageGates } from '../messages/index.ts';
import { gateMessage } from './actions.ts';
import { jobs, listensTo } from './jobs.ts';
import { endpoints } from './routes.ts';

export { listGatedOf, type GatedMessage } from './messages-store.ts';
export { gatedView } from './view.ts';

export default defineFeature({
  name: 'sending-gates',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs,
  listensTo,
  adds: [addTo(messageGates, gateMessage)],
});
