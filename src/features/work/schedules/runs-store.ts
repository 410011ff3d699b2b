import { anyOf, changedRows, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { RunState, PageChange } from './contract.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'scheduleRuns.change': PageChange | null;
  }
}

export type Run = Row<'scheduleRuns'>;

export async function insertRun(tx: Sql, run: Run): Promise<void> {
  await tx.ofAnyone.insertInto('scheduleRuns').values(run).execute();
}

export function findRun(db: Sql, accountId: string, id: string): Promise<Run | undefined> {
  return db.of(accountId).selectFrom('scheduleRuns').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The run that started this gate or placement test. */
export function findRunOf(db: Sql, accountId: string, resourceId: string): Promise<Run | undefined> {
  return db
    .of(accountId)
    .selectFrom('scheduleRuns')
    .selectAll()
    .where('resourceId', '=', resourceId)
    .executeTakeFirst();
}

/** A page of a schedule's runs, newest first. */
export function listRuns(
  db: Sql,
  { accountId, id: scheduleId }: { accountId: string; id: string },
  page: SkipPage,
): Promise<Paged<Run>> {
  const all = db.of(accountId).selectFrom('scheduleRuns').selectAll().where('scheduleId', '=', scheduleId);
  return readSkipPage(all.orderBy('startedAt', 'desc').orderBy('id', 'desc'), page);
}

/** The newest run of each of these schedules. */
export async function findLastRuns(
  db: Sql,
  accountId: string,
  scheduleIds: readonly string[],
): Promise<Map<string, Run>> {
  const rows = await db
    .of(accountId)
    .selectFrom('scheduleRuns')
    .selectAll()
    .distinctOn('scheduleId')
    .where('scheduleId', '=', anyOf(scheduleIds))
    .orderBy('scheduleId')
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((run) => [run.scheduleId, run]));
}

export async function isRunning(db: Sql, accountId: string, scheduleId: string): Promise<boolean> {
  const row = await db
    .of(accountId)
    .selectFrom('scheduleRuns')
    .select('id')
    .where('scheduleId', '=', scheduleId)
    .where('state', '=', 'running')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes what a run started. */
export async function setResource(
  tx: Sql,
  { accountId, id }: Pick<Run, 'accountId' | 'id'>,
  resourceId: string,
): Promise<void> {
  await tx.of(accountId).updateTable('scheduleRuns').set({ resourceId }).where('id', '=', id).execute();
}

/** Ends a run. False: it has ended already, or is gone. */
export async function endRun(
  tx: Sql,
  { accountId, id }: Pick<Run, 'accountId' | 'id'>,
  end: { state: RunState; message: string; endedAt: Date; change?: PageChange | null },
): Promise<boolean> {
  const update = tx
    .of(accountId)
    .updateTable('scheduleRuns')
    .set(end)
    .where('id', '=', id)
    .where('state', '=', 'running');
  return (await changedRows(update)) > 0;
}

/** What is still under way of these schedules of anyone. */
export function listOpenRuns(
  tx: Sql,
  scheduleIds: readonly string[],
): Promise<Pick<Run, 'id' | 'accountId' | 'scheduleId'>[]> {
  return tx.ofAnyone
    .selectFrom('scheduleRuns')
    .select(['id', 'accountId', 'scheduleId'])
    .where('scheduleId', '=', anyOf(scheduleIds))
    .where('state', '=', 'running')
    .execute();
}

/** Deletes runs of anyone that began before this, at most so many. Returns how many. */
export function deleteOldRuns(db: Sql, before: Date, limit: number): Promise<number> {
  const old = db.ofAnyone.selectFrom('scheduleRuns').select('id').where('startedAt', '<', before).limit(limit);
  return changedRows(db.ofAnyone.deleteFrom('scheduleRuns').where('id', 'in', old));
}

/** Of an account that is closed: nothing is done for it, and nothing is said. */
export async function deleteRun(db: Sql, { accountId, id }: Pick<Run, 'accountId' | 'id'>): Promise<void> {
  await db.of(accountId).deleteFrom('scheduleRuns').where('id', '=', id).execute();
}
