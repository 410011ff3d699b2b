import type { Likeness } from '../../../engines/pictures/index.ts';
import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { Filters } from './contract.ts';

export interface StoredComparison extends Likeness {
  previewFidelity: 'real' | 'engine' | 'emulated';
  /** With its version. */
  previewEngine: string;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'captures.decision': { reason: string; by: string; at: string } | null;
    'captures.comparison': StoredComparison | null;
  }
}

export type Capture = Row<'captures'>;

export async function insertCapture(tx: Sql, capture: Capture): Promise<void> {
  await tx.ofAnyone.insertInto('captures').values(capture).execute();
}

export function findCapture(db: Sql, accountId: string, id: string): Promise<Capture | undefined> {
  return db.of(accountId).selectFrom('captures').selectAll().where('id', '=', id).executeTakeFirst();
}

/** For jobs and the operator: the account is not asked. */
export function findCaptureOfAnyone(db: Sql, id: string): Promise<Capture | undefined> {
  return db.ofAnyone.selectFrom('captures').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function countCaptures(db: Sql, accountId: string): Promise<number> {
  const { total } = await db
    .of(accountId)
    .selectFrom('captures')
    .select(rowCount.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** A page of captures, newest first: of an account, or of all for the operator. */
export function listCaptures(
  db: Sql,
  accountId: string | 'all',
  { client, test_id: testId, state, ...page }: Filters & SkipPage,
): Promise<Paged<Capture>> {
  const all = accountId === 'all' ? db.ofAnyone.selectFrom('captures') : db.of(accountId).selectFrom('captures');
  const found = all
    .selectAll()
    .where(({ and, eb }) =>
      and([
        ...(client === undefined ? [] : [eb('clientId', '=', client)]),
        ...(testId === undefined ? [] : [eb('testId', '=', testId)]),
        ...(state === undefined ? [] : [eb('state', '=', state as Capture['state'])]),
      ]),
    );
  return readSkipPage(found.orderBy('createdAt', 'desc').orderBy('id', 'desc'), page);
}

/** Undefined: there is no such capture. */
export function decideCapture(
  db: Sql,
  accountId: string,
  { id, ...decided }: Pick<Capture, 'id' | 'state' | 'decision'>,
): Promise<Capture | undefined> {
  return db.of(accountId).updateTable('captures').set(decided).where('id', '=', id).returningAll().executeTakeFirst();
}

/** Of one that was not compared yet. */
export async function saveComparison(
  db: Sql,
  { id, ...compared }: Pick<Capture, 'id' | 'comparedAt' | 'comparison' | 'comparisonProblem'>,
): Promise<void> {
  await db.ofAnyone
    .updateTable('captures')
    .set(compared)
    .where('id', '=', id)
    .where('comparedAt', 'is', null)
    .execute();
}

/** False: there is no such capture. */
export async function deleteCapture(db: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('captures').where('id', '=', id))) > 0;
}

/** The newest evidence of each client of an account, of one client when it is named. */
export function listEvidence(db: Sql, accountId: string, clientId?: string): Promise<Capture[]> {
  const evidence = db
    .of(accountId)
    .selectFrom('captures')
    .selectAll()
    .distinctOn('clientId')
    .where('state', '=', 'accepted')
    .where('comparison', 'is not', null)
    .orderBy('clientId')
    .orderBy('capturedAt', 'desc');
  return (clientId === undefined ? evidence : evidence.where('clientId', '=', clientId)).execute();
}
