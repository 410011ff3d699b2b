import { sql, type Sql } from '../../../platform/db/index.ts';

export interface PreviewExport {
  id: string;
  testId: string;
  clientIds: string[];
  status: 'Processing' | 'Complete' | 'Failed';
  failedClientIds: string[];
  error: string | null;
  createdAt: Date;
}

const COLUMNS = sql.raw(`
  id, test_id as "testId", client_ids as "clientIds", status, failed_client_ids as "failedClientIds", error,
  created_at as "createdAt"
`);

export async function insertExport(tx: Sql, made: PreviewExport): Promise<void> {
  await tx.run(sql`
    insert into preview_exports (id, test_id, client_ids, status, created_at)
    values (${made.id}, ${made.testId}, ${made.clientIds}, ${made.status}, ${made.createdAt})
  `);
}

export function findExport(db: Sql, testId: string, id: string): Promise<PreviewExport | undefined> {
  return db.first(sql<PreviewExport>`select ${COLUMNS} from preview_exports where id = ${id} and test_id = ${testId}`);
}

/** By its unguessable id alone. */
export function findExportById(db: Sql, id: string): Promise<PreviewExport | undefined> {
  return db.first(sql<PreviewExport>`select ${COLUMNS} from preview_exports where id = ${id}`);
}

export function findLatestExport(db: Sql, testId: string): Promise<PreviewExport | undefined> {
  return db.first(sql<PreviewExport>`
    select ${COLUMNS}
    from preview_exports
    where test_id = ${testId}
    order by created_at desc, id desc
    limit 1
  `);
}

/** Exports of an account that are being made. */
export async function countProcessing(db: Sql, accountId: string): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    select count(*)::int as count
    from preview_exports
    join preview_tests on preview_tests.id = test_id
    where account_id = ${accountId} and status = 'Processing'
  `);
  return row?.count ?? 0;
}

/** Ends an export that is still under way. */
export async function endExport(
  db: Sql,
  id: string,
  outcome: { status: 'Complete' | 'Failed'; failedClientIds: string[]; error: string | null },
): Promise<void> {
  await db.run(sql`
    update preview_exports
    set status = ${outcome.status}, failed_client_ids = ${outcome.failedClientIds}, error = ${outcome.error}
    where id = ${id} and status = 'Processing'
  `);
}
