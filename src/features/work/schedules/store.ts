import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { Task } from './contract.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'schedules.request': Record<string, unknown>;
    'schedules.weekdays': number[];
  }
}

export type Schedule = Row<'schedules'> & { task: Task };
/** Without the body of its task, which may be long. */
export type ListedSchedule = Omit<Schedule, 'request'>;

const LISTED = [
  'id',
  'accountId',
  'name',
  'task',
  'timeZone',
  'weekdays',
  'minutes',
  'isOn',
  'nextAt',
  'createdAt',
  'updatedAt',
] as const;

export async function insertSchedule(db: Sql, schedule: Schedule): Promise<void> {
  await db.ofAnyone.insertInto('schedules').values(schedule).execute();
}

export function findSchedule(db: Sql, accountId: string, id: string): Promise<Schedule | undefined> {
  return db.of(accountId).selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function countSchedules(db: Sql, accountId: string): Promise<number> {
  const { total } = await db
    .of(accountId)
    .selectFrom('schedules')
    .select(rowCount.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** A page of an account's schedules, newest first. */
export function listSchedules(db: Sql, accountId: string, page: SkipPage): Promise<Paged<ListedSchedule>> {
  const all = db.of(accountId).selectFrom('schedules').select(LISTED);
  return readSkipPage(all.orderBy('createdAt', 'desc').orderBy('id', 'desc'), page);
}

/** Undefined: there is no such schedule. */
export function updateSchedule(
  db: Sql,
  accountId: string,
  { id, ...change }: Partial<Schedule> & Pick<Schedule, 'id'>,
): Promise<Schedule | undefined> {
  return db.of(accountId).updateTable('schedules').set(change).where('id', '=', id).returningAll().executeTakeFirst();
}

/** False: there is no such schedule. */
export async function deleteSchedule(db: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('schedules').where('id', '=', id))) > 0;
}

/** Schedules of anyone whose time has come, the longest due first; locked until the transaction ends. */
export function takeDue(tx: Sql, { now, limit }: { now: Date; limit: number }): Promise<ListedSchedule[]> {
  return tx.ofAnyone
    .selectFrom('schedules')
    .select(LISTED)
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** The text of a watched page as it was read the last time; undefined where it never was, or at another URL. */
export async function findPage(
  db: Sql,
  { accountId, id }: Pick<Schedule, 'accountId' | 'id'>,
  url: string,
): Promise<string | undefined> {
  const row = await db
    .of(accountId)
    .selectFrom('schedulePages')
    .select('pageText')
    .where('scheduleId', '=', id)
    .where('url', '=', url)
    .executeTakeFirst();
  return row?.pageText;
}

export async function keepPage(tx: Sql, page: Row<'schedulePages'>): Promise<void> {
  const { url, pageText, readAt } = page;
  await tx.ofAnyone
    .insertInto('schedulePages')
    .values(page)
    .onConflict((conflict) => conflict.column('scheduleId').doUpdateSet({ url, pageText, readAt }))
    .execute();
}

/** Holds the row until the transaction ends. Undefined: it is not there. */
export function lockSchedule(tx: Sql, accountId: string, id: string): Promise<ListedSchedule | undefined> {
  return tx.of(accountId).selectFrom('schedules').select(LISTED).where('id', '=', id).forUpdate().executeTakeFirst();
}
