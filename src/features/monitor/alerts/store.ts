// Alerts, from the first occurrence until they are over.
import { sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { pageOf, type SkipPage } from '../../../platform/paging/index.ts';
import type { AlertEvent } from './contract.ts';

/** What an alert says; further fields go to webhooks as they are. */
export interface AlertData {
  /** One sentence. */
  message: string;
  /** How to mend it: a sentence. */
  fix?: string;
  /** The page of the dashboard that shows it, such as `/domains/example.com`. */
  page?: string;
  /** Only settings of these channels hear of it. */
  alert_channels?: string[];
  [field: string]: unknown;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'alerts.event': AlertEvent;
    'alerts.data': AlertData;
  }
}

export type Alert = Row<'alerts'>;

interface Subject {
  event: AlertEvent;
  subject: string;
}

/** When the channels were told last of this subject. */
export async function lastTold(tx: Sql, accountId: string, { event, subject }: Subject): Promise<Date | null> {
  const row = await tx
    .of(accountId)
    .selectFrom('alerts')
    .select((row) => row.fn.max('toldAt').as('toldAt'))
    .where('event', '=', event)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.toldAt ?? null;
}

type NewAlert = Pick<Alert, 'id' | 'event' | 'subject' | 'data' | 'createdAt' | 'dueAt'>;

/** Opens an alert, or counts one that is open. Answers how often it was raised since it is open. */
export async function raise(tx: Sql, accountId: string, row: NewAlert): Promise<number> {
  const { data, createdAt: updatedAt } = row;
  const { count } = await tx
    .of(accountId)
    .insert('alerts', { ...row, updatedAt })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'event', 'subject'])
        .where('overAt', 'is', null)
        .doUpdateSet({ data, updatedAt, count: sql<number>`alerts.count + 1` }),
    )
    .returning('count')
    .executeTakeFirstOrThrow();
  return count;
}

/** Ends the open alert of a subject. Answers whether its end is to be told: its beginning was. */
export async function end(
  tx: Sql,
  accountId: string,
  { event, subject, data, now }: Subject & { data: AlertData; now: Date },
): Promise<boolean> {
  const ended = await tx
    .of(accountId)
    .updateTable('alerts')
    .set({
      data,
      updatedAt: now,
      overAt: now,
      dueAt: sql<Date | null>`case when told_at is null then null else ${now}::timestamptz end`,
    })
    .where('event', '=', event)
    .where('subject', '=', subject)
    .where('overAt', 'is', null)
    .returning('toldAt')
    .executeTakeFirst();
  return ended !== undefined && ended.toldAt !== null;
}

/** Alerts of an account whose channels are to be told now; no other transaction gets them. */
export function takeDue(tx: Sql, accountId: string, { now, limit }: { now: Date; limit: number }): Promise<Alert[]> {
  return tx
    .of(accountId)
    .selectFrom('alerts')
    .selectAll()
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

export async function saveTold(
  tx: Sql,
  accountId: string,
  { ids, now, isOver }: { ids: readonly string[]; now: Date; isOver: boolean },
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .of(accountId)
    .updateTable('alerts')
    .set({ dueAt: null, toldAt: now, ...(isOver && { overAt: now }) })
    .where('id', 'in', ids)
    .execute();
}

interface Listed extends SkipPage {
  state?: 'open' | 'over' | undefined;
  event?: AlertEvent | undefined;
}

/** The newest first. */
export async function listAlerts(db: Sql, accountId: string, { state, event, ...page }: Listed) {
  let matching = db.of(accountId).selectFrom('alerts');
  if (state !== undefined) matching = matching.where('overAt', state === 'open' ? 'is' : 'is not', null);
  if (event !== undefined) matching = matching.where('event', '=', event);
  const items = await pageOf(matching.selectAll().orderBy('createdAt', 'desc').orderBy('id'), page).execute();
  const { total } = await matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  return { items: items as Alert[], total };
}

/** Ends an alert of an account by hand; nothing is told. Answers it, or undefined where none is open under the id. */
export function resolve(
  db: Sql,
  accountId: string,
  { id, now }: { id: string; now: Date },
): Promise<Alert | undefined> {
  return db
    .of(accountId)
    .updateTable('alerts')
    .set({ overAt: now, updatedAt: now, dueAt: null })
    .where('id', '=', id)
    .where('overAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes alerts that were over before; answers how many. */
export async function deleteOld(tx: Sql, before: Date, limit: number): Promise<number> {
  const gone = await tx.ofAnyone
    .deleteFrom('alerts')
    .where(({ eb, selectFrom }) =>
      eb(
        'id',
        'in',
        selectFrom('alerts as old')
          .select('old.id')
          .where('old.overAt', '<', before)
          .where('old.dueAt', 'is', null)
          .limit(limit),
      ),
    )
    .returning('id')
    .execute();
  return gone.length;
}
