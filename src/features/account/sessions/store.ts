import { deleteHalfSessionsOfUser } from './half-store.ts';
import { changedRows, type Row, type Sql } from '../../../platform/db/index.ts';

/** Of a key or of a user. The digest of the cookie stays in the table. */
export type Session = Omit<Row<'sessions'>, 'digest'>;

/** Whose sessions: of a key, or of a user. */
export type Owner = { keyId: string } | { userId: string };

const COLUMNS = [
  'id',
  'keyId',
  'userId',
  'accountId',
  'address',
  'userAgent',
  'createdAt',
  'lastUsedAt',
  'expiresAt',
] as const;

const columnOf = (owner: Owner) =>
  'keyId' in owner ? (['keyId', owner.keyId] as const) : (['userId', owner.userId] as const);

/** Saves a session, and deletes its owner's oldest sessions beyond the limit. */
export async function insertSession(
  tx: Sql,
  { session, digest, owner, perOwnerMax }: { session: Session; digest: Buffer; owner: Owner; perOwnerMax: number },
): Promise<void> {
  const own = tx.of(session.accountId);
  await own.insert('sessions', { ...session, digest }).execute();
  const [column, id] = columnOf(owner);
  const surplus = own
    .selectFrom('sessions')
    .select('id')
    .where(column, '=', id)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .offset(perOwnerMax);
  await own.deleteFrom('sessions').where('id', 'in', surplus).execute();
}

/** Finds a session by the digest of its cookie. */
export function findSessionByDigest(db: Sql, digest: Buffer): Promise<Session | undefined> {
  return db.ofAnyone.selectFrom('sessions').select(COLUMNS).where('digest', '=', digest).executeTakeFirst();
}

/** Lists the sessions of an account, or of one of its keys or users, newest first. */
export function listSessions(
  db: Sql,
  accountId: string,
  { owner, now }: { owner: Owner | undefined; now: Date },
): Promise<Session[]> {
  const all = db.of(accountId).selectFrom('sessions').select(COLUMNS).where('expiresAt', '>', now);
  const wanted = owner === undefined ? all : all.where(...whereOwner(owner));
  return wanted.orderBy('createdAt', 'desc').orderBy('id').execute();
}

const whereOwner = (owner: Owner) => {
  const [column, id] = columnOf(owner);
  return [column, '=', id] as const;
};

export async function touchSession(db: Sql, session: Pick<Session, 'id' | 'accountId'>, at: Date): Promise<void> {
  await db.of(session.accountId).updateTable('sessions').set({ lastUsedAt: at }).where('id', '=', session.id).execute();
}

export async function deleteSession(
  tx: Sql,
  { id, accountId, owner }: { id: string; accountId: string; owner: Owner | undefined },
): Promise<boolean> {
  const own = tx.of(accountId).deleteFrom('sessions').where('id', '=', id);
  return (await changedRows(owner === undefined ? own : own.where(...whereOwner(owner)))) > 0;
}

export async function deleteSessionsOfUser(
  tx: Sql,
  { id, accountId, exceptSessionId }: { id: string; accountId: string; exceptSessionId?: string },
): Promise<void> {
  const all = tx.of(accountId).deleteFrom('sessions').where('userId', '=', id);
  await (exceptSessionId === undefined ? all : all.where('id', '!=', exceptSessionId)).execute();
  await deleteHalfSessionsOfUser(tx, { id, accountId });
}

export async function deleteSessionByDigest(tx: Sql, digest: Buffer): Promise<boolean> {
  return (await changedRows(tx.ofAnyone.deleteFrom('sessions').where('digest', '=', digest))) > 0;
}

export async function deleteExpiredSessions(db: Sql, now: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('sessions').where('expiresAt', '<=', now).execute();
}
