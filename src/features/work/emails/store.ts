import { changedRows, jsonb, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'emails.tags': string[];
  }
}

export type Email = Row<'emails'>;

export async function insertEmail(tx: Sql, email: Email): Promise<void> {
  await tx.ofAnyone.insertInto('emails').values(email).execute();
}

export function findEmail(db: Sql, accountId: string, id: string): Promise<Email | undefined> {
  return db.of(accountId).selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Holds the row until the transaction ends. */
export function lockEmail(tx: Sql, accountId: string, id: string): Promise<Email | undefined> {
  return tx.of(accountId).selectFrom('emails').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** For jobs: the account is not asked. */
export async function isThere(db: Sql, id: string): Promise<boolean> {
  return (await db.ofAnyone.selectFrom('emails').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

export async function countEmails(db: Sql, accountId: string): Promise<number> {
  const { total } = await db.of(accountId).selectFrom('emails').select(rowCount.as('total')).executeTakeFirstOrThrow();
  return total;
}

const SORTS = { updated: 'updatedAt', created: 'createdAt', name: 'name' } as const;

export interface Wanted {
  /** A part of the name or the subject, in any case. */
  search?: string | undefined;
  /** The empty one: those in no folder. */
  folder?: string | undefined;
  tag?: string | undefined;
  ownerId?: string | undefined;
  sort: keyof typeof SORTS;
  order: 'asc' | 'desc';
}

/** A page of the emails of an account that fit. */
export function listEmails(db: Sql, accountId: string, wanted: Wanted & SkipPage): Promise<Paged<Email>> {
  const { search, folder, tag, ownerId, sort, order, ...page } = wanted;
  let all = db.of(accountId).selectFrom('emails').selectAll();
  if (search)
    all = all.where((row) => {
      const holds = (column: 'name' | 'subject') =>
        sql<boolean>`position(lower(${search}::text) in lower(${row.ref(column)})) > 0`;
      return row.or([holds('name'), holds('subject')]);
    });
  if (folder !== undefined) all = all.where('folder', '=', folder);
  if (tag !== undefined) all = all.where('tags', '@>', sql<string[]>`${jsonb([tag])}::jsonb`);
  if (ownerId !== undefined) all = all.where('ownerId', '=', ownerId);
  return readSkipPage(all.orderBy(SORTS[sort], order).orderBy('id', order), page);
}

/** Undefined: there is no such email. */
export function updateEmail(
  db: Sql,
  accountId: string,
  { id, ...change }: Partial<Email> & Pick<Email, 'id'>,
): Promise<Email | undefined> {
  return db.of(accountId).updateTable('emails').set(change).where('id', '=', id).returningAll().executeTakeFirst();
}

/** With its versions. False: there is no such email. */
export async function deleteEmail(tx: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(tx.of(accountId).deleteFrom('emails').where('id', '=', id))) > 0;
}

export interface Label {
  name: string;
  count: number;
}

/** The folders of an account, by name. */
export function listFolders(db: Sql, accountId: string, limit: number): Promise<Label[]> {
  return db
    .of(accountId)
    .selectFrom('emails')
    .select(['folder as name', rowCount.as('count')])
    .where('folder', '<>', '')
    .groupBy('folder')
    .orderBy('folder')
    .limit(limit)
    .execute();
}

/** The tags of an account, those of the most emails first. */
export function listTags(db: Sql, accountId: string, limit: number): Promise<Label[]> {
  return db
    .of(accountId)
    .selectFrom('emails')
    .innerJoinLateral(
      sql<{ name: string }>`jsonb_array_elements_text(${sql.ref('emails.tags')})`.as<'one'>(sql.raw('one (name)')),
      (join) => join.onTrue(),
    )
    .select(['one.name', rowCount.as('count')])
    .groupBy('one.name')
    .orderBy('count', 'desc')
    .orderBy('one.name')
    .limit(limit)
    .execute();
}
