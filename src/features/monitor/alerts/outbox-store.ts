// Alerts on their way to addresses, URLs and channels.
import { sql, type NewRow, type Row, type Sql } from '../../../platform/db/index.ts';
import type { Attempt } from '../../../platform/posting/index.ts';
import type { AlertEvent } from './contract.ts';
import type { AlertData } from './store.ts';

/** What webhooks get, and emails are written from. */
export interface EventData extends AlertData {
  id: string;
  /** RFC 3339. */
  timestamp: string;
  log_level: 'info' | 'warn';
  event: AlertEvent;
  /** How often it was raised before it was told. */
  count: number;
  is_over: boolean;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'alertDeliveries.eventData': EventData;
    'alertDeliveries.attempts': Attempt[];
  }
}

export async function insertDeliveries(
  tx: Sql,
  accountId: string,
  rows: readonly Omit<NewRow<'alertDeliveries'>, 'accountId'>[],
): Promise<void> {
  if (rows.length > 0) await tx.of(accountId).insert('alertDeliveries', rows).execute();
}

/** Takes what is due of an account, the oldest first; nobody else gets it until `until`. */
export async function takeDueDeliveries(
  db: Sql,
  accountId: string,
  { now, until, limit }: { now: Date; until: Date; limit: number },
) {
  const taken = await db.ofAnyone
    .with('chosen', (from) =>
      from
        .selectFrom('alertDeliveries')
        .innerJoin('alertSettings', 'alertSettings.id', 'alertDeliveries.settingId')
        .select(['alertDeliveries.id', 'alertSettings.channel', 'alertSettings.settings'])
        .where('alertDeliveries.accountId', '=', accountId)
        .where('alertDeliveries.state', '=', 'waiting')
        .where('alertDeliveries.dueAt', '<=', now)
        .where((row) =>
          row.or([row('alertDeliveries.takenUntil', 'is', null), row('alertDeliveries.takenUntil', '<', now)]),
        )
        .orderBy('alertDeliveries.id')
        .limit(limit)
        .forUpdate('alertDeliveries')
        .skipLocked(),
    )
    .updateTable('alertDeliveries')
    .from('chosen')
    .set({ takenUntil: until })
    .whereRef('alertDeliveries.id', '=', 'chosen.id')
    .returningAll('alertDeliveries')
    .returning(['chosen.channel', 'chosen.settings'])
    .execute();
  return taken.toSorted((a, b) => Number(a.id) - Number(b.id));
}

export type TakenDelivery = Awaited<ReturnType<typeof takeDueDeliveries>>[number];

/** Accounts with something that is due. */
export async function listDueAccounts(db: Sql, now: Date, limit: number): Promise<string[]> {
  const ofAlerts = db.ofAnyone.selectFrom('alerts').select('accountId').where('dueAt', '<=', now);
  const rows = await ofAlerts
    .union(
      db.ofAnyone
        .selectFrom('alertDeliveries')
        .select('accountId')
        .where('state', '=', 'waiting')
        .where('dueAt', '<=', now)
        .where((row) => row.or([row('takenUntil', 'is', null), row('takenUntil', '<', now)])),
    )
    .limit(limit)
    .execute();
  return rows.map(({ accountId }) => accountId);
}

/** Writes how an attempt ended. */
export async function settleDelivery(
  tx: Sql,
  accountId: string,
  { id, ...row }: Pick<Row<'alertDeliveries'>, 'id' | 'state' | 'attempts'> & { dueAt?: Date },
): Promise<void> {
  await tx
    .of(accountId)
    .updateTable('alertDeliveries')
    .set({ ...row, takenUntil: null })
    .where('id', '=', id)
    .execute();
}

/** What waits for a target that is disabled is not sent. */
export async function cancelWaiting(
  tx: Sql,
  accountId: string,
  { settingId, target }: { settingId: string; target?: string },
) {
  let waiting = tx
    .of(accountId)
    .updateTable('alertDeliveries')
    .set({ state: 'canceled', takenUntil: null })
    .where('settingId', '=', settingId)
    .where('state', '=', 'waiting');
  if (target !== undefined) waiting = waiting.where('target', '=', target);
  await waiting.execute();
}

/** How each delivery of these alerts stands. */
export async function listDeliveriesOf(db: Sql, accountId: string, alertIds: readonly string[]) {
  if (alertIds.length === 0) return [];
  return db
    .of(accountId)
    .selectFrom('alertDeliveries')
    .innerJoin('alertSettings', 'alertSettings.id', 'alertDeliveries.settingId')
    .select([
      'alertDeliveries.alertId',
      'alertDeliveries.target',
      'alertDeliveries.state',
      'alertDeliveries.dueAt',
      'alertSettings.channel',
      sql<Attempt | null>`alert_deliveries.attempts -> -1`.as('last'),
    ])
    .where('alertDeliveries.alertId', 'in', alertIds)
    .orderBy('alertDeliveries.id')
    .limit(LISTED_MAX)
    .execute();
}

const LISTED_MAX = 2000;
