import { Type } from 'typebox';
import { defineFact } from '../../../platform/facts/index.ts';

/**
 * The newest result of a seed list shows a fall of the share in the inbox, or the end of one; or a result that
 * showed a fall was deleted, with its list or by itself, or its time has ended.
 */
export const placementChanged = defineFact({
  name: 'placement.changed',
  payload: Type.Object({ accountId: Type.String(), listId: Type.String() }),
});

/** Every delivery of a placement test has its outcome. */
export const placementEnded = defineFact({
  name: 'placement.ended',
  payload: Type.Object({ accountId: Type.String(), resultId: Type.String() }),
});
