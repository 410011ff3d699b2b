import { changedRows, type Row, type Sql } from '../../../platform/db/index.ts';

/** The digest of the cookie stays in the table. */
export type Session = Omit<Row<'sessions'>, 'digest'>;

const COLUMNS = ['id', 'keyId', 'accountId', 'address', 'userAgent', 'createdAt', 'lastUsedAt', 'expiresAt'] as const;

/** Saves a session, and deletes a key's oldest sessions beyond its limit. */
export async function insertSession(
  tx: Sql,
  { session, digest, perKeyMax }: { session: Session; digest: Buffer; perKeyMax: number },
): Promise<void> {
  const own = tx.of(session.accountId);
  await own.insert('sessions', { ...session, digest }).execute();
  const surplus = own
    .selectFrom('sessions')
    .select('id')
    .where('keyId', '=', session.keyId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .offset(perKeyMax);
  await own.deleteFrom('sessions').where('id', 'in', surplus).execute();
}

/** Finds a session by the digest of its cookie. */
export function findSessionByDigest(db: Sql, digest: Buffer): Promise<Session | undefined> {
  return db.ofAnyone.selectFrom('sessions').select(COLUMNS).where('digest', '=', digest).executeTakeFirst();
}

/** Lists the sessions of an account, or of one of its keys, newest first. */
export function listSessions(
  db: Sql,
  accountId: string,
  { keyId, now }: { keyId: string | undefined; now: Date },
): Promise<Session[]> {
  return db
    .of(accountId)
    .selectFrom('sessions')
    .select(COLUMNS)
    .$if(keyId !== undefined, (all) => all.where('keyId', '=', keyId!))
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();
}

export async function touchSession(db: Sql, session: Pick<Session, 'id' | 'accountId'>, at: Date): Promise<void> {
  await db.of(session.accountId).updateTable('sessions').set({ lastUsedAt: at }).where('id', '=', session.id).execute();
}

export async function deleteSession(
  tx: Sql,
  { id, accountId, keyId }: { id: string; accountId: string; keyId: string | undefined },
): Promise<boolean> {
  const own = tx.of(accountId).deleteFrom('sessions').where('id', '=', id);
  return (await changedRows(keyId === undefined ? own : own.where('keyId', '=', keyId))) > 0;
}

export async function deleteSessionByDigest(tx: Sql, digest: Buffer): Promise<boolean> {
  return (await changedRows(tx.ofAnyone.deleteFrom('sessions').where('digest', '=', digest))) > 0;
}

export async function deleteExpiredSessions(db: Sql, now: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('sessions').where('expiresAt', '<=', now).execute();
}
