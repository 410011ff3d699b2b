import { Type } from 'typebox';
import { defineFact } from '../../../platform/facts/index.ts';

/** The certificate of submission ends soon, or was renewed. The account is the deployment's own. */
export const certificateChanged = defineFact({
  name: 'certificate.changed',
  payload: Type.Object({ accountId: Type.String() }),
});
