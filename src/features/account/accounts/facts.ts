import { Type } from 'typebox';
import { defineFact } from '../../../platform/facts/index.ts';

/** A subaccount was enabled, disabled or closed. */
export const accountChanged = defineFact({
  name: 'account.changed',
  payload: Type.Object({ accountId: Type.String(), status: Type.Enum(['open', 'disabled', 'closed']) }),
});
