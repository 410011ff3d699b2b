import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';

export type SavedView = Row<'savedViews'>;

/** Whose views are meant. */
export type Owner = Pick<SavedView, 'accountId' | 'userId'>;

/** False: there is one of that name. */
export async function insertSavedView(db: Sql, savedView: SavedView): Promise<boolean> {
  const inserted = db.ofAnyone.insertInto('savedViews').values(savedView);
  return (await changedRows(inserted.onConflict((conflict) => conflict.doNothing()))) > 0;
}

export async function countSavedViews(db: Sql, accountId: string): Promise<number> {
  const { total } = await db
    .of(accountId)
    .selectFrom('savedViews')
    .select(rowCount.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** In the order in which they were saved: at most a few of each list. */
export function listSavedViews(db: Sql, { accountId, userId }: Owner, list?: string): Promise<SavedView[]> {
  let own = db.of(accountId).selectFrom('savedViews').selectAll().where('userId', 'is not distinct from', userId);
  if (list !== undefined) own = own.where('list', '=', list);
  return own.orderBy('createdAt').orderBy('id').execute();
}

/** False: there is no such view of this user. */
export async function deleteSavedView(db: Sql, { accountId, userId }: Owner, id: string): Promise<boolean> {
  const own = db
    .of(accountId)
    .deleteFrom('savedViews')
    .where('id', '=', id)
    .where('userId', 'is not distinct from', userId);
  return (await changedRows(own)) > 0;
}

/** In every account that they acted for. */
export async function deleteViewsOfUser(tx: Sql, { id }: { id: string }): Promise<void> {
  await tx.ofAnyone.deleteFrom('savedViews').where('userId', '=', id).execute();
}
