import { Type } from 'typebox';
import { defineFact } from '../../../platform/facts/index.ts';

/** Each client of a test is completed or bounced, for the first time: a retake of one publishes nothing more. */
export const previewEnded = defineFact({
  name: 'preview.ended',
  payload: Type.Object({ accountId: Type.String(), testId: Type.String() }),
});
