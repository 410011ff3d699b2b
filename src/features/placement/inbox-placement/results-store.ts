import { anyOf, changedRows, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readCursorPage, type CursorPage, type Paged } from '../../../platform/paging/index.ts';
import type { Language } from '../../../engines/spam-rules/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'placementResults.filters': FilterSaid[];
    'placementResults.fall': Fall | null;
  }
}

/** Less is in the inbox of real mailboxes than it was, beyond noise. */
export interface Fall {
  /** Id of the last result before the fall. */
  from: string;
  /** Shares in the inbox, from 0 to 1. */
  before: number;
  after: number;
}

export interface FilterSaid {
  engine: string;
  score: number | null;
  threshold: number | null;
  verdict: 'nothing_found' | 'soft' | 'spam' | null;
  failure: string | null;
  /** Of the message, where the built-in rules could tell it. */
  language?: Language | undefined;
  rules: { name: string; points: number; description: string; fix: string | null }[];
}

/** `rid` is 24 hexadecimal digits. */
export type PlacementResult = Row<'placementResults'>;

export async function insertResult(tx: Sql, made: PlacementResult): Promise<void> {
  await tx.ofAnyone.insertInto('placementResults').values(made).execute();
}

/** By either id. */
export function findResult(db: Sql, accountId: string, id: string): Promise<PlacementResult | undefined> {
  return db
    .of(accountId)
    .selectFrom('placementResults')
    .selectAll()
    .where((result) => result.or([result('resultId', '=', id.toLowerCase()), result('rid', '=', id)]))
    .executeTakeFirst();
}

/** For jobs: the account is not asked. */
export function findResultOfAnyone(db: Sql, resultId: string): Promise<PlacementResult | undefined> {
  return db.ofAnyone.selectFrom('placementResults').selectAll().where('resultId', '=', resultId).executeTakeFirst();
}

/** By the unguessable id of its link. */
export function findSharedResult(db: Sql, sharingId: string): Promise<PlacementResult | undefined> {
  return db.ofAnyone
    .selectFrom('placementResults')
    .selectAll()
    .where('sharingId', '=', sharingId.toLowerCase())
    .where('isShared', '=', true)
    .executeTakeFirst();
}

export interface ResultFilter {
  sender?: string | undefined;
  subject?: string | undefined;
  targetEmail?: string | undefined;
  before: Date | undefined;
  after: Date | undefined;
  page: CursorPage;
}

export function listResults(
  db: Sql,
  accountId: string,
  { sender, subject, targetEmail, before, after, page }: ResultFilter,
): Promise<Paged<PlacementResult>> {
  const own = db.of(accountId).selectFrom('placementResults');
  let wanted = own.selectAll();
  if (sender) wanted = wanted.where(sql<boolean>`lower(${sql.ref('sender')}) = lower(${sender}::text)`);
  if (subject)
    wanted = wanted.where(sql<boolean>`position(lower(${subject}::text) in lower(${sql.ref('subject')})) > 0`);
  if (targetEmail) wanted = wanted.where('targetEmail', '=', sql<string>`lower(${targetEmail}::text)`);
  if (before) wanted = wanted.where('createdAt', '<', before);
  if (after) wanted = wanted.where('createdAt', '>=', after);
  const sorts = { created_at: 'createdAt', updated_at: 'updatedAt', subject: 'subject', sender: 'sender' } as const;
  return readCursorPage({ own, wanted, id: 'resultId', sorts }, page);
}

/** Newest first, some of each list. */
export function listOfLists(
  db: Sql,
  { accountId, kids }: { accountId: string; kids: readonly string[] },
  each: number,
): Promise<PlacementResult[]> {
  const own = db.of(accountId);
  const ranked = own
    .selectFrom('placementResults')
    .select((result) => [
      'resultId',
      result.fn
        .agg<number>('row_number')
        .over((list) => list.partitionBy('listId').orderBy('createdAt', 'desc').orderBy('resultId', 'desc'))
        .as('place'),
    ])
    .where('listId', '=', anyOf(kids));
  return own
    .selectFrom('placementResults')
    .innerJoin(ranked.as('ranked'), 'ranked.resultId', 'placementResults.resultId')
    .selectAll('placementResults')
    .where('ranked.place', '<=', each)
    .orderBy('createdAt', 'desc')
    .orderBy('placementResults.resultId', 'desc')
    .execute();
}

/** The last complete one of the same list before this. */
export function findPrevious(db: Sql, result: PlacementResult): Promise<PlacementResult | undefined> {
  return db
    .of(result.accountId)
    .selectFrom('placementResults')
    .selectAll()
    .where('listId', '=', result.listId)
    .where('status', '=', 'complete')
    .where((other) =>
      other(other.refTuple('createdAt', 'resultId'), '<', other.tuple(result.createdAt, result.resultId)),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('resultId', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Ids of what several accounts began in a time and what is complete, the newest first. */
export async function listCompleteIds(
  db: Sql,
  { accountIds, from, to }: { accountIds: readonly string[]; from: Date; to: Date },
  limit: number,
): Promise<string[]> {
  const rows = await db.ofAnyone
    .selectFrom('placementResults')
    .select('resultId')
    .where('accountId', '=', anyOf(accountIds))
    .where('createdAt', '>=', from)
    .where('createdAt', '<', to)
    .where('status', '=', 'complete')
    .orderBy('createdAt', 'desc')
    .orderBy('resultId', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ resultId }) => resultId);
}

/** The newest complete one of a list. */
export function findNewest(db: Sql, accountId: string, listId: string): Promise<PlacementResult | undefined> {
  return db
    .of(accountId)
    .selectFrom('placementResults')
    .selectAll()
    .where('listId', '=', listId)
    .where('status', '=', 'complete')
    .orderBy('createdAt', 'desc')
    .orderBy('resultId', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** False when it was complete already, or is gone. */
export async function completeResult(
  tx: Sql,
  { accountId, resultId }: PlacementResult,
  { at, ...found }: { filters: FilterSaid[]; fall: Fall | null; at: Date },
): Promise<boolean> {
  const completed = tx
    .of(accountId)
    .updateTable('placementResults')
    .set({ ...found, status: 'complete', updatedAt: at })
    .where('resultId', '=', resultId)
    .where('status', '=', 'processing');
  return (await changedRows(completed)) > 0;
}

export function setSharing(
  db: Sql,
  { accountId, resultId }: PlacementResult,
  { sharingId, isShared, expiresAt }: { sharingId: string; isShared: boolean; expiresAt: Date },
): Promise<PlacementResult | undefined> {
  return db
    .of(accountId)
    .updateTable('placementResults')
    .set({ sharingId, isShared, sharingExpiresAt: expiresAt })
    .where('resultId', '=', resultId)
    .returningAll()
    .executeTakeFirst();
}

export function deleteResult(tx: Sql, accountId: string, resultId: string): Promise<PlacementResult | undefined> {
  return tx
    .of(accountId)
    .deleteFrom('placementResults')
    .where('resultId', '=', resultId)
    .returningAll()
    .executeTakeFirst();
}

/** Those that are deleted next. */
const expiredResults = (tx: Sql, now: Date, limit: number) =>
  tx.ofAnyone
    .selectFrom('placementResults')
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .orderBy('resultId')
    .limit(limit);

/** Of results that are deleted next: the seed lists that they show a fall of. */
export async function listExpiringFalls(
  tx: Sql,
  { now, limit }: { now: Date; limit: number },
): Promise<{ accountId: string; listId: string }[]> {
  const rows = await expiredResults(tx, now, limit).select(['accountId', 'listId', 'fall']).execute();
  return rows.flatMap(({ accountId, listId, fall }) => (fall && listId !== null ? [{ accountId, listId }] : []));
}

/** Deletes what is past its time; returns the ids. */
export async function deleteExpiredResults(tx: Sql, now: Date, limit: number): Promise<string[]> {
  await tx.ofAnyone.deleteFrom('placementDeletedMailings').where('until', '<=', now).execute();
  const expired = expiredResults(tx, now, limit).select('resultId');
  const rows = await tx.ofAnyone
    .deleteFrom('placementResults')
    .where('resultId', 'in', expired)
    .returning('resultId')
    .execute();
  return rows.map(({ resultId }) => resultId);
}

export async function listValues(db: Sql, accountId: string, column: 'subject' | 'sender'): Promise<string[]> {
  const rows = await db
    .of(accountId)
    .selectFrom('placementResults')
    .select((result) => result.ref(column).as('value'))
    .distinct()
    .orderBy('value')
    .limit(1000)
    .execute();
  return rows.map(({ value }) => value);
}

/** What copies of one mailing have in common. */
export interface Mailing {
  accountId: string;
  kid: string;
  subject: string;
  sender: string;
}

/**
 * A result of the list with the same sender and subject that began lately: the other copies of a mailing belong to it.
 */
export function findOpenMailing(
  db: Sql,
  { accountId, kid, subject, sender }: Mailing,
  since: Date,
): Promise<PlacementResult | undefined> {
  return db
    .of(accountId)
    .selectFrom('placementResults')
    .selectAll()
    .where('listId', '=', kid)
    .where('subject', '=', subject)
    .where('sender', '=', sender)
    .where('createdAt', '>=', since)
    .where('status', '=', 'processing')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Keeps what late copies of a deleted result are known by. A list that is gone takes no mail any more. */
export async function rememberMailing(
  tx: Sql,
  { resultId, accountId, listId, subject, sender }: PlacementResult,
  { emails, until }: { emails: readonly string[]; until: Date },
): Promise<void> {
  if (listId === null) return;
  const mailing = { resultId, listId, subject, sender, emails: [...emails], until };
  await tx.of(accountId).insert('placementDeletedMailings', mailing).execute();
}

/**
 * Whether this is the copy that a deleted mailing still had to bring to the address; it is expected no more then. A
 * copy for an address that had its own belongs to a new mailing, and ends the waiting.
 */
export async function takeLateCopy(
  tx: Sql,
  { accountId, kid, subject, sender }: Mailing,
  { email, now }: { email: string; now: Date },
): Promise<boolean> {
  const own = tx.of(accountId);
  const taken = await changedRows(
    own
      .updateTable('placementDeletedMailings')
      .set((mailing) => ({ emails: sql<string[]>`array_remove(${mailing.ref('emails')}, ${email})` }))
      .where('listId', '=', kid)
      .where('subject', '=', subject)
      .where('sender', '=', sender)
      .where('until', '>', now)
      .where((mailing) => mailing(mailing.val(email), '=', mailing.fn.any('emails'))),
  );
  if (taken > 0) return true;
  await own
    .deleteFrom('placementDeletedMailings')
    .where('listId', '=', kid)
    .where('subject', '=', subject)
    .where('sender', '=', sender)
    .where('until', '>', now)
    .execute();
  return false;
}
