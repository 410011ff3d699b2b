import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import type { Role as KeyRole } from '../../../platform/http/index.ts';

export type { KeyRole };

/** `domainName` is the one domain that a key is for. The digest of the secret stays in the table. */
export type ApiKey = Omit<Row<'apiKeys'>, 'digest'>;
export type KeyKind = ApiKey['kind'];

const COLUMNS = [
  'id',
  'accountId',
  'description',
  'role',
  'kind',
  'domainName',
  'userId',
  'userName',
  'email',
  'createdAt',
  'updatedAt',
  'expiresAt',
  'lastUsedAt',
  'revokedAt',
] as const;

export async function insertKey(db: Sql, key: ApiKey, digest: Buffer): Promise<void> {
  await db.ofAnyone
    .insertInto('apiKeys')
    .values({ ...key, digest })
    .execute();
}

/** By digest: the comparison happens on a hash that the caller cannot steer, so its timing says nothing of the key. */
export function findKeyByDigest(db: Sql, digest: Buffer): Promise<ApiKey | undefined> {
  return db.ofAnyone.selectFrom('apiKeys').select(COLUMNS).where('digest', '=', digest).executeTakeFirst();
}

export function findKeyById(db: Sql, id: string): Promise<ApiKey | undefined> {
  return db.ofAnyone.selectFrom('apiKeys').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

export function listKeys(db: Sql, accountId: string): Promise<ApiKey[]> {
  return db
    .of(accountId)
    .selectFrom('apiKeys')
    .select(COLUMNS)
    .where('revokedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Keys that are not revoked, expired ones included. */
export async function countKeys(db: Sql, accountId: string): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('apiKeys')
    .select(rowCount.as('count'))
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Locks the account's usable admin keys, so that two revocations cannot both leave "one other". */
export async function lockAdminKeys(tx: Sql, accountId: string, now: Date): Promise<string[]> {
  const rows = await tx
    .of(accountId)
    .selectFrom('apiKeys')
    .select('id')
    .where('role', '=', 'admin')
    .where('revokedAt', 'is', null)
    .where((key) => key.or([key('expiresAt', 'is', null), key('expiresAt', '>', now)]))
    .forUpdate()
    .execute();
  return rows.map((row) => row.id);
}

export async function revokeKey(db: Sql, key: { id: string; accountId: string }, at: Date): Promise<boolean> {
  const revoked = db
    .of(key.accountId)
    .updateTable('apiKeys')
    .set({ revokedAt: at, updatedAt: at })
    .where('id', '=', key.id)
    .where('revokedAt', 'is', null);
  return (await changedRows(revoked)) > 0;
}

/** Replaces the public key of an account. */
export async function savePublicKey(
  db: Sql,
  accountId: string,
  row: { digest: Buffer; createdAt: Date },
): Promise<void> {
  await db
    .of(accountId)
    .insert('publicKeys', row)
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute();
}

export async function touchKey(db: Sql, id: string, at: Date): Promise<void> {
  await db.ofAnyone.updateTable('apiKeys').set({ lastUsedAt: at }).where('id', '=', id).execute();
}
