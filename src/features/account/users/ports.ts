import type { Sql } from '../../../platform/db/index.ts';
import { definePort } from '../../../platform/ports/index.ts';

/** Ends the sessions of a user, in the transaction that is given; all of them, or all but one. */
export const endSessionsOfUser =
  definePort<(tx: Sql, user: { id: string; accountId: string; exceptSessionId?: string }) => Promise<void>>(
    'users.end-sessions',
  );
