// Lists that are validated, and their addresses, some at a time.
import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import { readPivotPage, type PivotPage } from '../../../platform/paging/index.ts';
import { PART, type Summary } from './contract.ts';
import type { resultView } from './view.ts';

export type ResultRow = ReturnType<typeof resultView>;

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'addressValidations.status': 'created' | 'processing' | 'uploaded' | 'failed';
    'addressValidations.summary': Summary;
    'addressValidationParts.addresses': string[];
    'addressValidationParts.results': ResultRow[] | null;
  }
}

export type ValidationJob = Row<'addressValidations'>;
type Part = Row<'addressValidationParts'>;

const PARTS_AT_ONCE = 50;

/** False: the account has one of that name. */
export async function insertJob(tx: Sql, job: ValidationJob, addresses: readonly string[]): Promise<boolean> {
  const { accountId, id: validationId } = job;
  const inserted = await tx.ofAnyone
    .insertInto('addressValidations')
    .values(job)
    .onConflict((conflict) => conflict.columns(['accountId', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return false;
  const parts = Array.from({ length: Math.ceil(addresses.length / PART) }, (_, place) => ({
    validationId,
    place,
    addresses: addresses.slice(place * PART, (place + 1) * PART),
    results: null,
  }));
  for (let from = 0; from < parts.length; from += PARTS_AT_ONCE)
    await tx
      .of(accountId)
      .insert('addressValidationParts', parts.slice(from, from + PARTS_AT_ONCE))
      .execute();
  return true;
}

/** By name. */
export function listJobs(db: Sql, accountId: string, page: PivotPage): Promise<ValidationJob[]> {
  const all = db.of(accountId).selectFrom('addressValidations').selectAll('addressValidations');
  return readPivotPage(all, { name: 'pivot', column: 'name' }, page);
}

async function counted(db: Sql, accountId: string, isUnfinished: boolean): Promise<number> {
  let wanted = db.of(accountId).selectFrom('addressValidations').select(rowCount.as('total'));
  if (isUnfinished) wanted = wanted.where('status', 'in', ['created', 'processing']);
  return (await wanted.executeTakeFirstOrThrow()).total;
}

export const countJobs = (db: Sql, accountId: string): Promise<number> => counted(db, accountId, false);
export const countUnfinished = (db: Sql, accountId: string): Promise<number> => counted(db, accountId, true);

export function findJob(db: Sql, accountId: string, name: string): Promise<ValidationJob | undefined> {
  return db.of(accountId).selectFrom('addressValidations').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Of any account: for the job, and for who has the address of the results. */
export function findJobById(db: Sql, id: string): Promise<ValidationJob | undefined> {
  return db.ofAnyone.selectFrom('addressValidations').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The same, which nobody else changes before the transaction ends. */
export function lockJob(tx: Sql, id: string): Promise<ValidationJob | undefined> {
  return tx.ofAnyone.selectFrom('addressValidations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** False: there is none. */
export async function deleteJob(db: Sql, accountId: string, name: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('addressValidations').where('name', '=', name))) > 0;
}

/** The first part that has no results yet. */
export function findNextPart(db: Sql, validationId: string): Promise<Part | undefined> {
  return db.ofAnyone
    .selectFrom('addressValidationParts')
    .selectAll()
    .where('validationId', '=', validationId)
    .where('results', 'is', null)
    .orderBy('place')
    .limit(1)
    .executeTakeFirst();
}

/** False: it has results, or is gone. */
export async function saveResults(
  tx: Sql,
  { validationId, place }: Pick<Part, 'validationId' | 'place'>,
  results: ResultRow[],
): Promise<boolean> {
  const saved = tx.ofAnyone
    .updateTable('addressValidationParts')
    .set({ results })
    .where('validationId', '=', validationId)
    .where('place', '=', place)
    .where('results', 'is', null);
  return (await changedRows(saved)) > 0;
}

export async function updateJob(
  tx: Sql,
  id: string,
  change: Partial<Pick<ValidationJob, 'status' | 'processed' | 'summary' | 'failure' | 'finishedAt'>>,
): Promise<void> {
  await tx.ofAnyone.updateTable('addressValidations').set(change).where('id', '=', id).execute();
}

/** Results behind a place, in their order. */
export function listResults(
  db: Sql,
  validationId: string,
  { after, limit }: { after: number; limit: number },
): Promise<Part[]> {
  return db.ofAnyone
    .selectFrom('addressValidationParts')
    .selectAll()
    .where('validationId', '=', validationId)
    .where('place', '>', after)
    .orderBy('place')
    .limit(limit)
    .execute();
}

export async function deleteOldJobs(tx: Sql, before: Date, limit: number): Promise<number> {
  const gone = tx.ofAnyone
    .deleteFrom('addressValidations')
    .where('id', 'in', (from) =>
      from
        .selectFrom('addressValidations')
        .select('addressValidations.id')
        .where('createdAt', '<', before)
        .orderBy('createdAt')
        .limit(limit),
    );
  return changedRows(gone);
}
