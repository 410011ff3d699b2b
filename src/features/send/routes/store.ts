import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

export type Route = Row<'routes'>;
type RouteChange = Partial<Pick<Route, 'priority' | 'description' | 'expression' | 'actions' | 'cost'>>;

export async function insertRoute(tx: Sql, accountId: string, route: Omit<Route, 'accountId'>): Promise<void> {
  await tx.of(accountId).insert('routes', route).execute();
}

const inOrder = (db: Sql, accountId: string) =>
  db.of(accountId).selectFrom('routes').selectAll().orderBy('priority').orderBy('createdAt').orderBy('id');

/** In the order in which they are looked at. */
export function listRoutes(db: Sql, accountId: string): Promise<Route[]> {
  return inOrder(db, accountId).execute();
}

export function pageRoutes(db: Sql, accountId: string, page: SkipPage): Promise<Paged<Route>> {
  return readSkipPage(inOrder(db, accountId), page);
}

export function findRoute(db: Sql, accountId: string, id: string): Promise<Route | undefined> {
  return db.of(accountId).selectFrom('routes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** What matching all routes but one costs. */
export async function sumCosts(db: Sql, accountId: string, without: string): Promise<number> {
  const others = db.of(accountId).selectFrom('routes').where('id', '<>', without);
  const { sum } = await others.select((row) => row.fn.sum<string | null>('cost').as('sum')).executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}

export async function countRoutes(db: Sql, accountId: string): Promise<number> {
  const { count } = await db.of(accountId).selectFrom('routes').select(rowCount.as('count')).executeTakeFirstOrThrow();
  return count;
}

export function changeRoute(
  tx: Sql,
  accountId: string,
  { id, change }: { id: string; change: RouteChange },
): Promise<Route | undefined> {
  return tx.of(accountId).updateTable('routes').set(change).where('id', '=', id).returningAll().executeTakeFirst();
}

/** False when it was not there. */
export async function deleteRoute(db: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('routes').where('id', '=', id))) > 0;
}
