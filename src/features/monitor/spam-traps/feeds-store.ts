import { changedRows, type Row, type Sql } from '../../../platform/db/index.ts';

export type Feed = Row<'spamTrapFeeds'>;

export function listFeeds(db: Sql, accountId: string): Promise<Feed[]> {
  return db
    .of(accountId)
    .selectFrom('spamTrapFeeds')
    .selectAll('spamTrapFeeds')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export function findFeed(db: Sql, accountId: string, id: string): Promise<Feed | undefined> {
  return db
    .of(accountId)
    .selectFrom('spamTrapFeeds')
    .selectAll('spamTrapFeeds')
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertFeed(tx: Sql, accountId: string, feed: Omit<Feed, 'accountId'>): Promise<void> {
  await tx.of(accountId).insert('spamTrapFeeds', feed).execute();
}

export async function deleteFeed(db: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('spamTrapFeeds').where('id', '=', id))) > 0;
}

/** Answers whether the feed is still there. */
export async function updateFeed(
  db: Sql,
  { accountId, id }: Pick<Feed, 'accountId' | 'id'>,
  changes: Partial<Pick<Feed, 'state' | 'problem' | 'checkedAt' | 'succeededAt' | 'dueAt'>>,
): Promise<boolean> {
  return (await changedRows(db.of(accountId).updateTable('spamTrapFeeds').set(changes).where('id', '=', id))) > 0;
}

/** Takes feeds of anyone that are due, and puts them off: whoever dies with one leaves it to the next. */
export async function takeDueFeeds(
  tx: Sql,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<Pick<Feed, 'id' | 'accountId'>[]> {
  const due = await tx.ofAnyone
    .selectFrom('spamTrapFeeds')
    .select(['id', 'accountId'])
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  if (due.length === 0) return [];
  const ids = due.map(({ id }) => id);
  await tx.ofAnyone.updateTable('spamTrapFeeds').set({ dueAt: until }).where('id', 'in', ids).execute();
  return due;
}
