import { changedRows, type Row, type Sql } from '../../../platform/db/index.ts';

/** Of a user who has yet to give a code. */
type HalfSession = Row<'halfSessions'>;

/** Saves one, and deletes the user's oldest ones beyond the limit. */
export async function insertHalfSession(tx: Sql, half: HalfSession, perUserMax: number): Promise<void> {
  await tx.ofAnyone.insertInto('halfSessions').values(half).execute();
  const own = tx.of(half.accountId);
  const surplus = own
    .selectFrom('halfSessions')
    .select('digest')
    .where('userId', '=', half.userId)
    .orderBy('createdAt', 'desc')
    .orderBy('digest')
    .offset(perUserMax);
  await own.deleteFrom('halfSessions').where('digest', 'in', surplus).execute();
}

export function findHalfSession(db: Sql, digest: Buffer): Promise<HalfSession | undefined> {
  return db.ofAnyone.selectFrom('halfSessions').selectAll().where('digest', '=', digest).executeTakeFirst();
}

/** False where it was used. */
export async function useHalfSession(tx: Sql, digest: Buffer): Promise<boolean> {
  return (await changedRows(tx.ofAnyone.deleteFrom('halfSessions').where('digest', '=', digest))) > 0;
}

export async function deleteHalfSessionsOfUser(
  tx: Sql,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  await tx.of(accountId).deleteFrom('halfSessions').where('userId', '=', id).execute();
}

export async function deleteExpiredHalfSessions(db: Sql, now: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('halfSessions').where('expiresAt', '<=', now).execute();
}
