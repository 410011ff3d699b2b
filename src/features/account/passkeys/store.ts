import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';

/** Of a user. */
export type Passkey = Row<'passkeys'>;

interface Owner {
  id: string;
  accountId: string;
}

/** The oldest first. */
export function listPasskeys(db: Sql, { id, accountId }: Owner): Promise<Passkey[]> {
  return db
    .of(accountId)
    .selectFrom('passkeys')
    .selectAll()
    .where('userId', '=', id)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export async function countPasskeys(db: Sql, { id, accountId }: Owner): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('passkeys')
    .select(rowCount.as('count'))
    .where('userId', '=', id)
    .executeTakeFirstOrThrow();
  return count;
}

/** Of any user: the device says which one it is. */
export function findPasskey(db: Sql, credentialId: Buffer): Promise<Passkey | undefined> {
  return db.ofAnyone.selectFrom('passkeys').selectAll().where('credentialId', '=', credentialId).executeTakeFirst();
}

/** False where there is one with this credential. */
export async function insertPasskey(tx: Sql, passkey: Passkey): Promise<boolean> {
  const inserting = tx.ofAnyone
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credentialId').doNothing());
  return (await changedRows(inserting)) > 0;
}

/** Notes a use. False where the counter is not beyond the one before, by another process meanwhile, too. */
export async function usePasskey(
  tx: Sql,
  { id, accountId }: Pick<Passkey, 'id' | 'accountId'>,
  { counter, isBackedUp, at }: { counter: number; isBackedUp: boolean; at: Date },
): Promise<boolean> {
  const own = tx
    .of(accountId)
    .updateTable('passkeys')
    .set({ counter: String(counter), isBackedUp, lastUsedAt: at })
    .where('id', '=', id);
  const beyond = counter === 0 ? own.where('counter', '=', '0') : own.where('counter', '<', String(counter));
  return (await changedRows(beyond)) > 0;
}

/** Undefined where the user has none like that. */
export function savePasskeyName(
  tx: Sql,
  { id, accountId }: Owner,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<Passkey | undefined> {
  return tx
    .of(accountId)
    .updateTable('passkeys')
    .set({ name })
    .where('userId', '=', id)
    .where('id', '=', passkeyId)
    .returningAll()
    .executeTakeFirst();
}

export async function deletePasskey(tx: Sql, { id, accountId }: Owner, passkeyId: string): Promise<boolean> {
  const deleting = tx.of(accountId).deleteFrom('passkeys').where('userId', '=', id).where('id', '=', passkeyId);
  return (await changedRows(deleting)) > 0;
}

export async function deletePasskeysOfUser(tx: Sql, { id, accountId }: Owner): Promise<void> {
  await tx.of(accountId).deleteFrom('passkeys').where('userId', '=', id).execute();
}

/** False where it is there already. */
export async function insertUsedChallenge(tx: Sql, used: Row<'usedPasskeyChallenges'>): Promise<boolean> {
  const inserting = tx.ofAnyone
    .insertInto('usedPasskeyChallenges')
    .values(used)
    .onConflict((conflict) => conflict.column('digest').doNothing());
  return (await changedRows(inserting)) > 0;
}

export async function deleteExpiredChallenges(db: Sql, now: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('usedPasskeyChallenges').where('expiresAt', '<=', now).execute();
}
