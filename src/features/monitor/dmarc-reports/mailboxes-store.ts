import { changedRows, sql, type Row, type Sql } from '../../../platform/db/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'dmarcMailboxes.security': 'tls' | 'starttls' | 'none';
    'dmarcMailboxes.trust': 'signed' | 'all';
    'dmarcMailboxes.state': 'waiting' | 'working' | 'failing' | 'stopped';
  }
}

export type ReportMailbox = Row<'dmarcMailboxes'>;

export function listMailboxes(db: Sql, accountId: string): Promise<ReportMailbox[]> {
  return db
    .of(accountId)
    .selectFrom('dmarcMailboxes')
    .selectAll('dmarcMailboxes')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export function findMailbox(db: Sql, accountId: string, id: string): Promise<ReportMailbox | undefined> {
  return db
    .of(accountId)
    .selectFrom('dmarcMailboxes')
    .selectAll('dmarcMailboxes')
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertMailbox(tx: Sql, { accountId, ...box }: ReportMailbox): Promise<void> {
  await tx.of(accountId).insert('dmarcMailboxes', box).execute();
}

export async function deleteMailbox(db: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('dmarcMailboxes').where('id', '=', id))) > 0;
}

/** Answers the row as it is now; undefined: it is gone. */
export function updateMailbox(
  db: Sql,
  { accountId, id }: Pick<ReportMailbox, 'accountId' | 'id'>,
  changes: Partial<Omit<ReportMailbox, 'id' | 'accountId'>>,
): Promise<ReportMailbox | undefined> {
  return db
    .of(accountId)
    .updateTable('dmarcMailboxes')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Says how a visit ended. False: the settings were changed meanwhile, or it is gone. */
export async function noteVisit(
  db: Sql,
  { accountId, id, updatedAt }: ReportMailbox,
  changes: Partial<Pick<ReportMailbox, 'state' | 'problem' | 'refusals' | 'checkedAt' | 'succeededAt' | 'dueAt'>> & {
    messagesLeft?: number | null;
  },
): Promise<boolean> {
  const noted = db
    .of(accountId)
    .updateTable('dmarcMailboxes')
    .set(changes)
    .where('id', '=', id)
    .where('updatedAt', '=', updatedAt);
  return (await changedRows(noted)) > 0;
}

/** Where a visitor stands in the folder; `null` before its first message. */
export interface ReadPlace {
  uidValidity: string | null;
  uid: number;
}

/**
 * Notes that a message was taken. False: another visitor took it, or the settings were changed meanwhile. Of two
 * visitors the row lets one pass.
 */
export async function takeMessage(
  tx: Sql,
  { accountId, id, updatedAt }: ReportMailbox,
  { from, to, reports, now }: { from: ReadPlace; to: ReadPlace; reports: number; now: Date },
): Promise<boolean> {
  const taken = tx
    .of(accountId)
    .updateTable('dmarcMailboxes')
    .set({
      uidValidity: to.uidValidity,
      lastUid: String(to.uid),
      messagesRead: sql<string>`messages_read + 1`,
      reportsFound: sql<string>`reports_found + ${reports}`,
      ...(reports > 0 && { lastReportAt: now }),
    })
    .where('id', '=', id)
    .where('updatedAt', '=', updatedAt)
    .where('lastUid', '=', String(from.uid))
    .where('uidValidity', 'is not distinct from', from.uidValidity);
  return (await changedRows(taken)) > 0;
}

/** Takes mailboxes of anyone that are due, and puts them off: whoever dies with one leaves it to the next. */
export async function takeDueMailboxes(
  tx: Sql,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<Pick<ReportMailbox, 'id' | 'accountId'>[]> {
  const due = await tx.ofAnyone
    .selectFrom('dmarcMailboxes')
    .select(['id', 'accountId'])
    .where('dueAt', '<=', now)
    .where('isEnabled', '=', true)
    .where('state', '<>', 'stopped')
    .orderBy('dueAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  if (due.length === 0) return [];
  const ids = due.map(({ id }) => id);
  await tx.ofAnyone.updateTable('dmarcMailboxes').set({ dueAt: until }).where('id', 'in', ids).execute();
  return due;
}
