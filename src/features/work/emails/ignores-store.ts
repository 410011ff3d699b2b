import { changedRows, type Row, type Sql } from '../../../platform/db/index.ts';
import type { OfEmail } from './versions-store.ts';

export type Ignore = Row<'emailIgnores'>;

/** In place of what was said of the same cause before. */
export async function putIgnore(db: Sql, ignore: Ignore): Promise<void> {
  const { reason, until, createdAt } = ignore;
  await db.ofAnyone
    .insertInto('emailIgnores')
    .values(ignore)
    .onConflict((conflict) => conflict.columns(['emailId', 'cause']).doUpdateSet({ reason, until, createdAt }))
    .execute();
}

/** Oldest first. */
export function listIgnores(db: Sql, { accountId, emailId }: OfEmail, limit: number): Promise<Ignore[]> {
  return db
    .of(accountId)
    .selectFrom('emailIgnores')
    .selectAll()
    .where('emailId', '=', emailId)
    .orderBy('createdAt')
    .orderBy('cause')
    .limit(limit)
    .execute();
}

/** False: there is none. */
export async function deleteIgnore(db: Sql, { accountId, emailId }: OfEmail, cause: string): Promise<boolean> {
  const own = db.of(accountId).deleteFrom('emailIgnores').where('emailId', '=', emailId);
  return (await changedRows(own.where('cause', '=', cause))) > 0;
}
