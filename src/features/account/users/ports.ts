import type { Sql } from '../../../platform/db/index.ts';
import { defineList, definePort } from '../../../platform/ports/index.ts';

/** Ends the sessions of a user, in the transaction that is given; all of them, or all but one. */
export const endSessionsOfUser =
  definePort<(tx: Sql, user: { id: string; accountId: string; exceptSessionId?: string }) => Promise<void>>(
    'users.end-sessions',
  );

/**
 * What forgets the other ways in which a user who is deleted signed in, and what else was theirs alone, in the
 * transaction that is given.
 */
export const waysOfUser =
  defineList<(tx: Sql, user: { id: string; accountId: string }) => Promise<unknown>>('users.ways');
