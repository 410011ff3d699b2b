import { sql, type Sql } from '../../platform/db/index.ts';

export type InspectionStatus = 'Processing' | 'Complete' | 'Failed';

export interface Inspection<Result = unknown> {
  id: string;
  accountId: string;
  kind: string;
  status: InspectionStatus;
  version: number;
  summary: Record<string, unknown>;
  /** Null until it is complete. */
  result: Result | null;
  error: string | null;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}

const FIELDS = `id, account_id as "accountId", kind, status, version, summary, error, created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt"`;
const COLUMNS = sql.raw(`${FIELDS}, result`);

export async function insertInspection(tx: Sql, made: Inspection): Promise<void> {
  await tx.run(sql`insert into inspections (id, account_id, kind, status, version, created_at, updated_at, expires_at)
    values (${made.id}, ${made.accountId}, ${made.kind}, ${made.status}, ${made.version}, ${made.createdAt}, ${made.updatedAt}, ${made.expiresAt})`);
}

export function findInspection<Result>(db: Sql, accountId: string, wanted: { kind: string; id: string }): Promise<Inspection<Result> | undefined> {
  return db.first(sql<Inspection<Result>>`select ${COLUMNS} from inspections where id = ${wanted.id} and kind = ${wanted.kind} and account_id = ${accountId}`);
}

/** For jobs: the account is not asked. */
export function findInspectionOfAnyone(db: Sql, id: string): Promise<Inspection | undefined> {
  return db.first(sql<Inspection>`select ${COLUMNS} from inspections where id = ${id}`);
}

export interface Page {
  limit: number;
  skip: number;
  /** Leave the results out: a list of a thousand may only need the summaries. */
  isBrief?: boolean;
}

/** Newest first. */
export async function listInspections<Result>(db: Sql, owner: { accountId: string; kind: string }, page: Page): Promise<{ items: Inspection<Result>[]; total: number }> {
  const where = sql.join([sql`account_id = ${owner.accountId}`, sql`kind = ${owner.kind}`], sql` and `);
  const columns = page.isBrief ? sql.raw(`${FIELDS}, null as result`) : COLUMNS;
  const items = await db.rows(sql<Inspection<Result>>`select ${columns} from inspections where ${where} order by created_at desc, id desc limit ${page.limit} offset ${page.skip}`);
  const counted = await db.first(sql<{ total: number }>`select count(*)::int as total from inspections where ${where}`);
  return { items, total: counted?.total ?? 0 };
}

/** Ends a run; nothing changes when a newer version runs, or it was ended before. */
export async function endInspection(db: Sql, run: { id: string; version: number }, outcome: { status: 'Complete' | 'Failed'; result: unknown; summary: object; error: string | null; at: Date }): Promise<boolean> {
  return (await db.run(sql`update inspections set status = ${outcome.status}, result = ${JSON.stringify(outcome.result ?? null)}::jsonb, summary = ${JSON.stringify(outcome.summary)}::jsonb, error = ${outcome.error}, updated_at = ${outcome.at}
    where id = ${run.id} and version = ${run.version} and status = 'Processing'`)) > 0;
}

export async function deleteInspection(tx: Sql, accountId: string, wanted: { kind: string; id: string }): Promise<boolean> {
  return (await tx.run(sql`delete from inspections where id = ${wanted.id} and kind = ${wanted.kind} and account_id = ${accountId}`)) > 0;
}

/** Deletes what is past its time; returns the ids, whose objects are to be deleted too. */
export async function deleteExpired(tx: Sql, now: Date, limit: number): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: string }>`delete from inspections where id in (select id from inspections where expires_at <= ${now} order by expires_at limit ${limit}) returning id`);
  return rows.map((row) => row.id);
}
