import { changedRows, type Row, type Sql } from '../../../platform/db/index.ts';
import { readPivotPage, type PivotPage } from '../../../platform/paging/index.ts';

export type MonitoredIp = Row<'monitoredIps'>;

/** False when the account has it already. */
export async function insertIp(db: Sql, { accountId, ...ip }: MonitoredIp): Promise<boolean> {
  const inserted = db
    .of(accountId)
    .insert('monitoredIps', ip)
    .onConflict((conflict) => conflict.doNothing());
  return (await changedRows(inserted)) > 0;
}

export function findIp(db: Sql, accountId: string, ip: string): Promise<MonitoredIp | undefined> {
  return db.of(accountId).selectFrom('monitoredIps').selectAll().where('ip', '=', ip).executeTakeFirst();
}

/** By the text of the address. */
export function listIps(db: Sql, accountId: string, page: PivotPage): Promise<MonitoredIp[]> {
  const wanted = db.of(accountId).selectFrom('monitoredIps').selectAll();
  return readPivotPage(wanted, { name: 'ip', column: 'ip' }, page);
}

/** The pools of some addresses. */
export async function poolsOf(db: Sql, accountId: string, ips: readonly string[]): Promise<Map<string, string>> {
  if (ips.length === 0) return new Map();
  const rows = await db
    .of(accountId)
    .selectFrom('monitoredIps')
    .select(['ip', 'ipPool'])
    .where('ip', 'in', ips)
    .execute();
  return new Map(rows.map(({ ip, ipPool }) => [ip, ipPool]));
}

export async function saveIp(
  db: Sql,
  { accountId, ip }: Pick<MonitoredIp, 'accountId' | 'ip'>,
  change: Partial<Pick<MonitoredIp, 'ipPool' | 'description'>>,
): Promise<boolean> {
  return (await changedRows(db.of(accountId).updateTable('monitoredIps').set(change).where('ip', '=', ip))) > 0;
}

export async function deleteIp(db: Sql, accountId: string, ip: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('monitoredIps').where('ip', '=', ip))) > 0;
}
