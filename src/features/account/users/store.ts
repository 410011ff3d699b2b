import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'users.networks': string[];
  }
}

/** Someone who signs in. */
export type User = Row<'users'>;
export type UserRole = User['role'];
export type LinkKind = Row<'userLinks'>['kind'];
export type UserLink = Omit<Row<'userLinks'>, 'digest'>;

export async function insertUser(tx: Sql, user: User): Promise<void> {
  await tx.ofAnyone.insertInto('users').values(user).execute();
}

/** Of any account: the id comes from a session, a key or a link. */
export function findUserById(db: Sql, id: string): Promise<User | undefined> {
  return db.ofAnyone
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}

/** The same, deleted ones included. */
export function findAnyUserById(db: Sql, id: string): Promise<User | undefined> {
  return db.ofAnyone.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Of any account: an address belongs to one user of the deployment. */
export function findUserByEmail(db: Sql, email: string): Promise<User | undefined> {
  return db.ofAnyone.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

export function findUser(db: Sql, accountId: string, id: string): Promise<User | undefined> {
  return db
    .of(accountId)
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}

/** In the order in which they came. */
export function listUsers(
  db: Sql,
  accountId: string,
  { role, ...page }: SkipPage & { role: UserRole | undefined },
): Promise<Paged<User>> {
  const all = db.of(accountId).selectFrom('users').where('deletedAt', 'is', null);
  const matching = role === undefined ? all : all.where('role', '=', role);
  return readSkipPage(matching.selectAll().orderBy('createdAt').orderBy('id'), page);
}

export async function countUsers(db: Sql, accountId: string): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('users')
    .select(rowCount.as('count'))
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

type Change = Partial<Omit<User, 'id' | 'accountId' | 'createdAt'>>;

/** Answers the user as it is then; undefined where there is none. */
export function saveUser(
  tx: Sql,
  { id, accountId }: Pick<User, 'id' | 'accountId'>,
  change: Change,
): Promise<User | undefined> {
  return tx
    .of(accountId)
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Saves a link, in place of those of its kind. */
export async function insertLink(tx: Sql, link: UserLink & { digest: Buffer }): Promise<void> {
  await deleteLinks(tx, { userId: link.userId, accountId: link.accountId, kind: link.kind });
  await tx.ofAnyone.insertInto('userLinks').values(link).execute();
}

export function findLink(db: Sql, digest: Buffer): Promise<UserLink | undefined> {
  return db.ofAnyone
    .selectFrom('userLinks')
    .select(['userId', 'accountId', 'kind', 'createdAt', 'expiresAt'])
    .where('digest', '=', digest)
    .executeTakeFirst();
}

/** False where it is used already. */
export async function useLink(tx: Sql, digest: Buffer): Promise<boolean> {
  return (await changedRows(tx.ofAnyone.deleteFrom('userLinks').where('digest', '=', digest))) > 0;
}

export async function deleteLinks(
  tx: Sql,
  { userId, accountId, kind }: { userId: string; accountId: string; kind?: LinkKind },
): Promise<void> {
  const own = tx.of(accountId).deleteFrom('userLinks').where('userId', '=', userId);
  await (kind === undefined ? own : own.where('kind', '=', kind)).execute();
}

/** When the invitation of each of these ends. */
export async function listInvitations(
  db: Sql,
  accountId: string,
  userIds: readonly string[],
): Promise<Map<string, Date>> {
  if (userIds.length === 0) return new Map();
  const found = await db
    .of(accountId)
    .selectFrom('userLinks')
    .select(['userId', 'expiresAt'])
    .where('kind', '=', 'invitation')
    .where('userId', 'in', userIds)
    .execute();
  return new Map(found.map(({ userId, expiresAt }) => [userId, expiresAt]));
}

export async function deleteExpiredLinks(db: Sql, now: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('userLinks').where('expiresAt', '<=', now).execute();
}
