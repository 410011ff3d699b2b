// Who users are at the provider of single sign-on.
import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import { deleteLinks, type User } from './store.ts';

type Identity = Row<'userIdentities'>;

/** Of any account: a person of the provider is one user of the deployment. */
export function findIdentity(
  db: Sql,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<Identity | undefined> {
  return db.ofAnyone
    .selectFrom('userIdentities')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Whether the user has signed in by this provider. */
export async function hasIdentity(
  db: Sql,
  { id, accountId }: Pick<User, 'id' | 'accountId'>,
  issuer: string,
): Promise<boolean> {
  const { count } = await db
    .of(accountId)
    .selectFrom('userIdentities')
    .select(rowCount.as('count'))
    .where('userId', '=', id)
    .where('issuer', '=', issuer)
    .executeTakeFirstOrThrow();
  return count > 0;
}

/**
 * Links a user with a person of the provider; false where one of the two is linked already. The links in the user's
 * emails are worth nothing from now on.
 */
export async function insertIdentity(tx: Sql, identity: Identity): Promise<boolean> {
  const { userId, accountId } = identity;
  const insert = tx.of(accountId).insert('userIdentities', identity);
  if ((await changedRows(insert.onConflict((conflict) => conflict.doNothing()))) === 0) return false;
  await deleteLinks(tx, { userId, accountId });
  return true;
}

export async function deleteIdentities(tx: Sql, { id, accountId }: Pick<User, 'id' | 'accountId'>): Promise<void> {
  await tx.of(accountId).deleteFrom('userIdentities').where('userId', '=', id).execute();
}
