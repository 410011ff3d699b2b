// The circuit breaker: what a domain sends under one name leaves for its first recipients, and goes on when their
// deliveries went well. Else it is held, with its numbers, until a person releases or drops it.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { eventReactions } from '../deliveries/index.ts';
import { messageGates } from '../messages/index.ts';
import { admitToBatch } from './admit.ts';
import { batchHeld } from './facts.ts';
import { jobs } from './jobs.ts';
import { noteOutcomes } from './judge.ts';
import { endpoints } from './routes.ts';

export { batchHeld } from './facts.ts';
export { findBatch, listBatchesOf, type Batch } from './store.ts';
export { reasonOf } from './view.ts';

export default defineFeature({
  name: 'sending-batches',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs,
  tells: [batchHeld],
  adds: [addTo(messageGates, admitToBatch), addTo(eventReactions, noteOutcomes)],
});
