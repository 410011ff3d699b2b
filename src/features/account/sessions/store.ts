import { sql, type Sql } from '../../../platform/db/index.ts';

export interface Session {
  id: string;
  keyId: string;
  accountId: string;
  address: string;
  userAgent: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

const COLUMNS = sql.raw(`
  id, key_id as "keyId", account_id as "accountId", address, user_agent as "userAgent", created_at as "createdAt",
  last_used_at as "lastUsedAt", expires_at as "expiresAt"
`);

/** Saves a session; of one key so many are kept, the newest. */
export async function insertSession(
  tx: Sql,
  { session, digest, perKeyMax }: { session: Session; digest: Buffer; perKeyMax: number },
): Promise<void> {
  await tx.run(sql`
    insert into sessions (id, digest, key_id, account_id, address, user_agent, created_at, last_used_at, expires_at)
    values (
      ${session.id}, ${digest}, ${session.keyId}, ${session.accountId}, ${session.address}, ${session.userAgent},
      ${session.createdAt}, ${session.lastUsedAt}, ${session.expiresAt}
    )
  `);
  await tx.run(sql`
    delete from sessions
    where id in (
      select id
      from sessions
      where key_id = ${session.keyId} and account_id = ${session.accountId}
      order by created_at desc, id
      offset ${perKeyMax}
    )
  `);
}

/** By the digest of its cookie: whoever has that is the one. */
export function findSessionByDigest(db: Sql, digest: Buffer): Promise<Session | undefined> {
  return db.first(sql<Session>`select ${COLUMNS} from sessions where digest = ${digest}`);
}

/** Of an account, or of one key of it, newest first. */
export function listSessions(
  db: Sql,
  accountId: string,
  { keyId, now }: { keyId: string | undefined; now: Date },
): Promise<Session[]> {
  return db.rows(sql<Session>`
    select ${COLUMNS}
    from sessions
    where account_id = ${accountId}
      and (${keyId ?? null}::text is null or key_id = ${keyId ?? null})
      and expires_at > ${now}
    order by created_at desc, id
  `);
}

export async function touchSession(db: Sql, session: Pick<Session, 'id' | 'accountId'>, at: Date): Promise<void> {
  await db.run(
    sql`update sessions set last_used_at = ${at} where id = ${session.id} and account_id = ${session.accountId}`,
  );
}

export async function deleteSession(
  tx: Sql,
  session: { id: string; accountId: string; keyId: string | undefined },
): Promise<boolean> {
  return (
    (await tx.run(sql`
      delete from sessions
      where id = ${session.id}
        and account_id = ${session.accountId}
        and (${session.keyId ?? null}::text is null or key_id = ${session.keyId ?? null})
    `)) > 0
  );
}

export async function deleteSessionByDigest(tx: Sql, digest: Buffer): Promise<boolean> {
  return (await tx.run(sql`delete from sessions where digest = ${digest}`)) > 0;
}

export async function deleteExpiredSessions(db: Sql, now: Date): Promise<void> {
  await db.run(sql`delete from sessions where expires_at <= ${now}`);
}
