// Alerts on sending, and their hits.
import { changedRows, rowCount, type NewRow, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { LimitChannel } from '../../account/limits/index.ts';

type Dimension = Row<'sendAlerts'>['dimension'];
export type FilterComparator = Row<'sendAlerts'>['comparator'] | 'contains' | 'not contains';

export interface SendFilter {
  dimension: Dimension;
  comparator: FilterComparator;
  values: string[];
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'sendAlerts.filters': SendFilter[];
    'sendAlerts.alertChannels': LimitChannel[];
  }
}

export type SendAlert = Row<'sendAlerts'>;
export type Hit = Row<'thresholdHits'>;
type OwnRow = Omit<NewRow<'sendAlerts'>, 'accountId'>;

/** By name. */
export function listSendAlerts(db: Sql, accountId: string, page: SkipPage): Promise<Paged<SendAlert>> {
  return readSkipPage(db.of(accountId).selectFrom('sendAlerts').selectAll().orderBy('name'), page);
}

export function findSendAlert(db: Sql, accountId: string, name: string): Promise<SendAlert | undefined> {
  return db.of(accountId).selectFrom('sendAlerts').selectAll().where('name', '=', name).executeTakeFirst();
}

export async function countSendAlerts(db: Sql, accountId: string): Promise<number> {
  const counted = db.of(accountId).selectFrom('sendAlerts').select(rowCount.as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** Undefined when the account has one of the name. */
export function insertSendAlert(db: Sql, accountId: string, row: OwnRow): Promise<SendAlert | undefined> {
  return db
    .of(accountId)
    .insert('sendAlerts', row)
    .onConflict((conflict) => conflict.columns(['accountId', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Waits for a look under way, and holds the alert until the transaction ends. */
export async function holdSendAlert(tx: Sql, { id, accountId }: SendAlert): Promise<void> {
  await tx.of(accountId).selectFrom('sendAlerts').select('id').where('id', '=', id).forUpdate().execute();
}

export async function putSendAlert(
  tx: Sql,
  accountId: string,
  { id, ...row }: Omit<OwnRow, 'createdAt'>,
): Promise<void> {
  await tx.of(accountId).updateTable('sendAlerts').set(row).where('id', '=', id).execute();
  await tx.of(accountId).deleteFrom('thresholdHits').where('alertId', '=', id).execute();
}

export async function deleteSendAlert(tx: Sql, accountId: string, id: string): Promise<void> {
  await tx.of(accountId).deleteFrom('sendAlerts').where('id', '=', id).execute();
}

/** Accounts with something to look at, those first who have waited longest. */
export async function listDueAccounts(db: Sql, now: Date, limit: number): Promise<string[]> {
  const rows = await db.ofAnyone
    .selectFrom('sendAlerts')
    .select('accountId')
    .where('dueAt', '<=', now)
    .groupBy('accountId')
    .orderBy((row) => row.fn.min('dueAt'))
    .limit(limit)
    .execute();
  return rows.map(({ accountId }) => accountId);
}

/** Takes what is to be looked at of an account; nobody else gets it until `until`, unless it is noted before. */
export function takeDue(db: Sql, accountId: string, { now, until }: { now: Date; until: Date }): Promise<SendAlert[]> {
  const due = db.of(accountId).updateTable('sendAlerts').set({ dueAt: until }).where('dueAt', '<=', now);
  return due.returningAll().execute();
}

/** Notes a look, and holds the alert until the transaction ends. False: it was changed or deleted meanwhile. */
export async function noteLook(
  tx: Sql,
  { id, accountId, updatedAt }: SendAlert,
  { now, ...found }: { now: Date; dueAt: Date; valuesCrossed: number },
): Promise<boolean> {
  const noted = tx
    .of(accountId)
    .updateTable('sendAlerts')
    .set({ lastChecked: now, ...found })
    .where('id', '=', id);
  return (await changedRows(noted.where('updatedAt', '=', updatedAt))) > 0;
}

/** The hits of an alert. */
export function listHitsOf(db: Sql, accountId: string, alertId: string): Promise<Hit[]> {
  return db.of(accountId).selectFrom('thresholdHits').selectAll().where('alertId', '=', alertId).execute();
}

/** The comparison holds: opens hits, and renews those that there are. */
export async function saveHits(
  tx: Sql,
  accountId: string,
  rows: readonly Omit<NewRow<'thresholdHits'>, 'accountId'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .of(accountId)
    .insert('thresholdHits', rows)
    .onConflict((conflict) =>
      conflict.columns(['alertId', 'dimensionValue']).doUpdateSet((row) => ({
        triggered: true,
        latestValue: row.ref('excluded.latestValue'),
        updatedAt: row.ref('excluded.updatedAt'),
        expiresAt: row.ref('excluded.expiresAt'),
      })),
    )
    .execute();
}

/** The comparison holds no longer. */
export async function endHit(
  tx: Sql,
  accountId: string,
  { id, latestValue, now }: { id: string; latestValue: string; now: Date },
): Promise<void> {
  const ended = tx.of(accountId).updateTable('thresholdHits').where('id', '=', id);
  await ended.set({ triggered: false, latestValue, updatedAt: now }).execute();
}

/** With what their alerts say; the newest first. */
export function listHits(db: Sql, accountId: string, { now, ...page }: SkipPage & { now: Date }) {
  return readSkipPage(
    db
      .of(accountId)
      .selectFrom('thresholdHits')
      .innerJoin('sendAlerts', 'sendAlerts.id', 'thresholdHits.alertId')
      .where((row) => row.or([row('thresholdHits.expiresAt', '>', now), row('thresholdHits.triggered', '=', true)]))
      .selectAll('thresholdHits')
      .select(['sendAlerts.name', 'sendAlerts.metric', 'sendAlerts.comparator', 'sendAlerts.bound'])
      .select('sendAlerts.dimension')
      .orderBy('thresholdHits.createdAt', 'desc')
      .orderBy('thresholdHits.id'),
    page,
  );
}

/** Deletes hits whose time is over and whose comparison does not hold. */
export async function deleteExpiredHits(db: Sql, now: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('thresholdHits').where('expiresAt', '<=', now).where('triggered', '=', false).execute();
}
