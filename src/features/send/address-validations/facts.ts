import { Type } from 'typebox';
import { defineFact } from '../../../platform/facts/index.ts';

/** Every address of a list was validated, or the list was given up. */
export const addressesValidated = defineFact({
  name: 'addresses.validated',
  payload: Type.Object({ accountId: Type.String(), name: Type.String() }),
});
