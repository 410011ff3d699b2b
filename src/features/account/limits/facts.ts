import { Type } from 'typebox';
import { defineFact } from '../../../platform/facts/index.ts';

/** The uses of an account have reached a share of a limit: one of its warnings, or 100 percent. Published once each. */
export const limitReached = defineFact({
  name: 'limit.reached',
  payload: Type.Object({
    limitId: Type.String(),
    /** Whose limit it is. */
    ownerId: Type.String(),
    /** Whose uses they are: the owner's or those of a subaccount. */
    accountId: Type.String(),
    percent: Type.Integer(),
    used: Type.Integer(),
    /** When the window ends, ISO 8601. */
    resetsAt: Type.String(),
  }),
});
