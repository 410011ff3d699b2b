// What users do without a key or before they have a session: signing in, failing to, accepting an invitation, setting a
// password by a link. The feature of users tells it in the transaction that makes it true.
import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { whenTold } from '../../../platform/facts/index.ts';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import {
  recallUser,
  userJoined,
  userLinked,
  userPasswordReset,
  userRoleFollowed,
  userSignedIn,
  userSignInFailed,
} from '../users/index.ts';
import { insertEntries, type AuditEntry } from './store.ts';

interface Kind {
  kind: AuditEntry['kind'];
  outcome: AuditEntry['outcome'];
}

/** A fact may be heard twice: its entry has one id. */
const idOf = (operation: string, told: object): string =>
  createHash('sha256')
    .update(`${operation} ${JSON.stringify(told)}`)
    .digest('hex')
    .slice(0, 24);

function hear(fact: typeof userSignedIn, name: string, { kind, outcome }: Kind) {
  const run = async (outside: Pick<Outside, 'db'>, told: Static<typeof fact.payload>): Promise<void> => {
    const user = await recallUser(outside, told.userId);
    // Whoever is gone, with the account, has nobody who reads of it.
    if (!user) return;
    const entry: AuditEntry = {
      id: idOf(fact.name, told),
      accountId: user.accountId,
      at: new Date(told.at),
      kind,
      operation: fact.name,
      method: '',
      path: '',
      resource: {
        by: told.by,
        ...(told.and !== undefined && { and: told.and }),
        ...(told.reason !== '' && { reason: told.reason }),
      },
      fields: [],
      status: outcome === 'success' ? 200 : 401,
      outcome,
      actorKind: 'user',
      actorId: told.userId,
      actorName: told.email,
      actorAccountId: user.accountId,
      role: user.role,
      sessionId: null,
      address: told.address,
      userAgent: told.userAgent,
      requestor: null,
      requestorClient: null,
      requestId: '',
    };
    await insertEntries(outside.db, [entry]);
  };
  const { payload } = fact;
  const job = defineJob({ name: `audit-log.${name}`, payload, lane: 'quick', attempts: 10, timeoutMs: 30_000, run });
  return { job, subscription: whenTold(fact, job) };
}

const heard = [
  hear(userSignedIn, 'note-sign-in', { kind: 'sign_in', outcome: 'success' }),
  hear(userSignInFailed, 'note-failed-sign-in', { kind: 'sign_in', outcome: 'failure' }),
  hear(userJoined, 'note-joining', { kind: 'change', outcome: 'success' }),
  hear(userLinked, 'note-sso-link', { kind: 'change', outcome: 'success' }),
  hear(userRoleFollowed, 'note-role-by-sso', { kind: 'change', outcome: 'success' }),
  hear(userPasswordReset, 'note-password-reset', { kind: 'change', outcome: 'success' }),
];

export const jobs = heard.map(({ job }) => job);
export const listensTo = heard.map(({ subscription }) => subscription);
