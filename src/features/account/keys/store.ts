import { sql, type Sql } from '../../../platform/db/index.ts';

import type { Role as KeyRole } from '../../../platform/http/index.ts';

export type { KeyRole };
export type KeyKind = 'domain' | 'user' | 'web';

export interface ApiKey {
  id: string;
  accountId: string;
  description: string;
  role: KeyRole;
  kind: KeyKind;
  /** The one domain that the key is for. */
  domainName: string | null;
  userId: string | null;
  userName: string | null;
  email: string | null;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const COLUMNS = sql.raw(`
  id, account_id as "accountId", description, role, kind, domain_name as "domainName", user_id as "userId",
  user_name as "userName", email, created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt",
  last_used_at as "lastUsedAt", revoked_at as "revokedAt"
`);

export async function insertKey(db: Sql, key: ApiKey, digest: Buffer): Promise<void> {
  await db.run(sql`
    insert into api_keys (
      id, account_id, digest, description, role, kind, domain_name, user_id, user_name, email, created_at, updated_at,
      expires_at
    )
    values (
      ${key.id}, ${key.accountId}, ${digest}, ${key.description}, ${key.role}, ${key.kind}, ${key.domainName},
      ${key.userId}, ${key.userName}, ${key.email}, ${key.createdAt}, ${key.updatedAt}, ${key.expiresAt}
    )
  `);
}

/** By digest: the comparison happens on a hash that the caller cannot steer, so its timing says nothing of the key. */
export function findKeyByDigest(db: Sql, digest: Buffer): Promise<ApiKey | undefined> {
  return db.first(sql<ApiKey>`select ${COLUMNS} from api_keys where digest = ${digest}`);
}

export function findKeyById(db: Sql, id: string): Promise<ApiKey | undefined> {
  return db.first(sql<ApiKey>`select ${COLUMNS} from api_keys where id = ${id}`);
}

export function listKeys(db: Sql, accountId: string): Promise<ApiKey[]> {
  return db.rows(sql<ApiKey>`
    select ${COLUMNS}
    from api_keys
    where account_id = ${accountId} and revoked_at is null
    order by created_at, id
  `);
}

/** Keys that are not revoked, expired ones included. */
export async function countKeys(db: Sql, accountId: string): Promise<number> {
  const query = sql<{ count: number }>`
    select count(*)::int as count
    from api_keys
    where account_id = ${accountId} and revoked_at is null
  `;
  return (await db.first(query))?.count ?? 0;
}

/** Locks the account's usable admin keys, so that two revocations cannot both leave "one other". */
export async function lockAdminKeys(tx: Sql, accountId: string, now: Date): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    select id
    from api_keys
    where account_id = ${accountId}
      and role = 'admin'
      and revoked_at is null
      and (expires_at is null or expires_at > ${now})
    for update
  `);
  return rows.map((row) => row.id);
}

export async function revokeKey(db: Sql, key: { id: string; accountId: string }, at: Date): Promise<boolean> {
  return (
    (await db.run(sql`
      update api_keys
      set revoked_at = ${at}, updated_at = ${at}
      where id = ${key.id} and account_id = ${key.accountId} and revoked_at is null
    `)) > 0
  );
}

export async function touchKey(db: Sql, id: string, at: Date): Promise<void> {
  await db.run(sql`update api_keys set last_used_at = ${at} where id = ${id}`);
}
