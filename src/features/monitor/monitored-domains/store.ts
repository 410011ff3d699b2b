import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import { readPlace, type Place } from '../../../platform/paging/index.ts';

export type MonitoredDomain = Row<'monitoredDomains'>;

/** False when the account has it already. */
export async function insertDomain(db: Sql, { accountId, ...domain }: MonitoredDomain): Promise<boolean> {
  const inserted = db
    .of(accountId)
    .insert('monitoredDomains', domain)
    .onConflict((conflict) => conflict.doNothing());
  return (await changedRows(inserted)) > 0;
}

export function findDomain(db: Sql, accountId: string, name: string): Promise<MonitoredDomain | undefined> {
  return db.of(accountId).selectFrom('monitoredDomains').selectAll().where('name', '=', name).executeTakeFirst();
}

export async function countUnverified(db: Sql, accountId: string): Promise<number> {
  const unverified = db.of(accountId).selectFrom('monitoredDomains').select(rowCount.as('count'));
  return (await unverified.where('status', '!=', 'inbox_ready').executeTakeFirstOrThrow()).count;
}

/** For the job, which holds an id that nobody guesses. */
export function findById(db: Sql, id: string): Promise<MonitoredDomain | undefined> {
  return db.ofAnyone.selectFrom('monitoredDomains').selectAll().where('id', '=', id).executeTakeFirst();
}

/** In the order of their ids. */
export function listDomains(
  db: Sql,
  accountIds: readonly string[],
  { name, place, limit }: { name: string | undefined; place: Place; limit: number },
): Promise<MonitoredDomain[]> {
  const wanted = db.ofAnyone
    .selectFrom('monitoredDomains')
    .selectAll()
    .where('accountId', 'in', accountIds)
    .$if(name !== undefined, (all) => all.where('name', '=', name!));
  return readPlace(wanted, { columns: ['id'], isAscending: true }, { ...place, limit });
}

export async function saveStatus(
  db: Sql,
  { accountId, id }: Pick<MonitoredDomain, 'accountId' | 'id'>,
  change: Partial<Pick<MonitoredDomain, 'status' | 'problem' | 'verifiedAt'>>,
): Promise<boolean> {
  return (await changedRows(db.of(accountId).updateTable('monitoredDomains').set(change).where('id', '=', id))) > 0;
}

export async function deleteDomain(db: Sql, accountId: string, name: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('monitoredDomains').where('name', '=', name))) > 0;
}
