import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';

/** What the codes of a user are made from; in force once it is confirmed. */
export type SecondFactor = Row<'secondFactors'>;

/** Whose it is. */
export interface Owner {
  id: string;
  accountId: string;
}

export function findFactor(db: Sql, { id, accountId }: Owner): Promise<SecondFactor | undefined> {
  return db.of(accountId).selectFrom('secondFactors').selectAll().where('userId', '=', id).executeTakeFirst();
}

/** In place of one that was not confirmed. False where one is in force. */
export async function savePending(tx: Sql, factor: SecondFactor): Promise<boolean> {
  const own = tx.of(factor.accountId);
  await own.deleteFrom('secondFactors').where('userId', '=', factor.userId).where('confirmedAt', 'is', null).execute();
  const inserting = tx.ofAnyone
    .insertInto('secondFactors')
    .values(factor)
    .onConflict((conflict) => conflict.column('userId').doNothing());
  return (await changedRows(inserting)) > 0;
}

/** False where another code confirmed it, or a newer secret took its place. */
export async function confirmFactor(
  tx: Sql,
  { userId, accountId, sealedSecret }: SecondFactor,
  { step, at }: { step: number; at: Date },
): Promise<boolean> {
  const updating = tx
    .of(accountId)
    .updateTable('secondFactors')
    .set({ confirmedAt: at, lastStep: step })
    .where('userId', '=', userId)
    .where('sealedSecret', '=', sealedSecret)
    .where('confirmedAt', 'is', null);
  return (await changedRows(updating)) > 0;
}

/** False where a code of this step, or of a later one, was used meanwhile: by another process, too. */
export async function useStep(tx: Sql, { id, accountId }: Owner, step: number): Promise<boolean> {
  const updating = tx
    .of(accountId)
    .updateTable('secondFactors')
    .set({ lastStep: step })
    .where('userId', '=', id)
    .where('confirmedAt', 'is not', null)
    .where('lastStep', '<', step);
  return (await changedRows(updating)) > 0;
}

/** With its recovery codes. False where there is none. */
export async function deleteFactor(tx: Sql, { id, accountId }: Owner): Promise<boolean> {
  return (await changedRows(tx.of(accountId).deleteFrom('secondFactors').where('userId', '=', id))) > 0;
}

/** In place of all that there were. */
export async function replaceRecoveryCodes(
  tx: Sql,
  { id, accountId }: Owner,
  digests: readonly Buffer[],
): Promise<void> {
  await tx.of(accountId).deleteFrom('recoveryCodes').where('userId', '=', id).execute();
  const rows = digests.map((digest) => ({ userId: id, accountId, digest }));
  await tx.ofAnyone.insertInto('recoveryCodes').values(rows).execute();
}

/** False where it is none, or was used. */
export async function useRecoveryCode(tx: Sql, { id, accountId }: Owner, digest: Buffer): Promise<boolean> {
  const deleting = tx.of(accountId).deleteFrom('recoveryCodes').where('userId', '=', id).where('digest', '=', digest);
  return (await changedRows(deleting)) > 0;
}

export async function countRecoveryCodes(db: Sql, { id, accountId }: Owner): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('recoveryCodes')
    .select(rowCount.as('count'))
    .where('userId', '=', id)
    .executeTakeFirstOrThrow();
  return count;
}
