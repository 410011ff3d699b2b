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

/** The messages of a month have reached a share of a custom limit: 50, 75 or 100 percent. Published once each. */
export const messageLimitReached = defineFact({
  name: 'message-limit.reached',
  payload: Type.Object({
    /** Who set the limit: the account or its parent. */
    ownerId: Type.String(),
    /** Whose limit it is. */
    accountId: Type.String(),
    /** Whose message reached it: that account or a subaccount. */
    sentBy: Type.String(),
    percent: Type.Integer(),
    used: Type.Integer(),
    max: Type.Integer(),
    /** When the month ends, ISO 8601. */
    resetsAt: Type.String(),
  }),
});
