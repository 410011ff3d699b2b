import { anyOf, sql, type Sql } from '../../../platform/db/index.ts';

export interface PreviewShare {
  testId: string;
  uuid: string;
  isEnabled: boolean;
  expiresAt: Date;
  createdAt: Date;
}

const COLUMNS = sql.raw(
  `test_id as "testId", uuid, is_enabled as "isEnabled", expires_at as "expiresAt", created_at as "createdAt"`,
);

/** Saves a share unless the test has one; returns the one it has. */
export async function insertShare(db: Sql, share: PreviewShare): Promise<PreviewShare> {
  await db.run(sql`
    insert into preview_shares (test_id, uuid, is_enabled, expires_at, created_at)
    values (${share.testId}, ${share.uuid}, ${share.isEnabled}, ${share.expiresAt}, ${share.createdAt})
    on conflict (test_id) do nothing
  `);
  return (await findShare(db, share.testId)) ?? share;
}

export function findShare(db: Sql, testId: string): Promise<PreviewShare | undefined> {
  return db.first(sql<PreviewShare>`select ${COLUMNS} from preview_shares where test_id = ${testId}`);
}

/** The shares of these tests, which are the caller's own. */
export function listShares(db: Sql, testIds: readonly string[]): Promise<PreviewShare[]> {
  return db.rows(sql<PreviewShare>`select ${COLUMNS} from preview_shares where test_id = ${anyOf(testIds)}`);
}

export function findShareByUuid(db: Sql, uuid: string): Promise<PreviewShare | undefined> {
  return db.first(sql<PreviewShare>`select ${COLUMNS} from preview_shares where uuid::text = ${uuid.toLowerCase()}`);
}

export function updateShare(
  db: Sql,
  testId: string,
  change: { uuid: string; isEnabled: boolean; expiresAt: Date },
): Promise<PreviewShare | undefined> {
  return db.first(sql<PreviewShare>`
    update preview_shares
    set uuid = ${change.uuid}, is_enabled = ${change.isEnabled}, expires_at = ${change.expiresAt}
    where test_id = ${testId}
    returning ${COLUMNS}
  `);
}

export async function deleteShare(db: Sql, testId: string): Promise<void> {
  await db.run(sql`delete from preview_shares where test_id = ${testId}`);
}
