import { Type } from 'typebox';
import { defineFact } from '../../../platform/facts/index.ts';

/** The first deliveries of a batch went so badly that the rest of it is held. Published once. */
export const batchHeld = defineFact({
  name: 'sending-batch.held',
  payload: Type.Object({ accountId: Type.String(), batchId: Type.String() }),
});
