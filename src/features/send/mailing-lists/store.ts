// The lists of an account, by their addresses.
import { changedRows, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import {
  readPivotPage,
  readSkipPage,
  type Paged,
  type PivotPage,
  type SkipPage,
} from '../../../platform/paging/index.ts';
import type { ACCESS_LEVELS, REPLY_PREFERENCES } from './contract.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'mailingLists.accessLevel': (typeof ACCESS_LEVELS)[number];
    'mailingLists.replyPreference': (typeof REPLY_PREFERENCES)[number];
  }
}

export type MailingList = Row<'mailingLists'>;
export type ListSettings = Pick<
  MailingList,
  'address' | 'name' | 'description' | 'accessLevel' | 'replyPreference' | 'listId'
>;

/** False: the account has a list with this address. */
export async function insertList(
  db: Sql,
  accountId: string,
  list: Omit<MailingList, 'accountId' | 'membersCount'>,
): Promise<boolean> {
  const inserted = db
    .of(accountId)
    .insert('mailingLists', list)
    .onConflict((conflict) => conflict.columns(['accountId', 'address']).doNothing());
  return (await changedRows(inserted)) > 0;
}

export function findList(db: Sql, accountId: string, address: string): Promise<MailingList | undefined> {
  return db.of(accountId).selectFrom('mailingLists').selectAll().where('address', '=', address).executeTakeFirst();
}

export async function countLists(db: Sql, accountId: string): Promise<number> {
  const all = db.of(accountId).selectFrom('mailingLists').select(rowCount.as('total'));
  return (await all.executeTakeFirstOrThrow()).total;
}

/** Members of all lists of an account. */
export async function countAllMembers(db: Sql, accountId: string): Promise<number> {
  const all = db.of(accountId).selectFrom('mailingLists');
  const { total } = await all
    .select(sql<number>`coalesce(sum(members_count), 0)::int`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** A page by address; `address` is the one that is asked for. */
export function listLists(
  db: Sql,
  accountId: string,
  { address, ...page }: SkipPage & { address: string | undefined },
): Promise<Paged<MailingList>> {
  let all = db.of(accountId).selectFrom('mailingLists').selectAll();
  if (address !== undefined) all = all.where('address', '=', address);
  return readSkipPage(all.orderBy('address'), page);
}

export function pageLists(db: Sql, accountId: string, page: PivotPage): Promise<MailingList[]> {
  const all = db.of(accountId).selectFrom('mailingLists').selectAll('mailingLists');
  return readPivotPage(all, { name: 'address', column: 'address' }, page);
}

/** Undefined: there is no such list. */
export function updateList(
  tx: Sql,
  accountId: string,
  { id, ...change }: Partial<ListSettings> & { id: string },
): Promise<MailingList | undefined> {
  return tx
    .of(accountId)
    .updateTable('mailingLists')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteList(tx: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(tx.of(accountId).deleteFrom('mailingLists').where('id', '=', id))) > 0;
}

/** The list, which nobody else changes until the transaction has ended. */
export function lockList(tx: Sql, accountId: string, id: string): Promise<MailingList | undefined> {
  return tx.of(accountId).selectFrom('mailingLists').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function addToCount(
  tx: Sql,
  accountId: string,
  { id, adding }: { id: string; adding: number },
): Promise<void> {
  if (adding === 0) return;
  await tx
    .of(accountId)
    .updateTable('mailingLists')
    .set({ membersCount: sql<number>`members_count + ${adding}` })
    .where('id', '=', id)
    .execute();
}

/** Of anyone: by what a token names. */
export function findAnyList(db: Sql, id: string): Promise<MailingList | undefined> {
  return db.ofAnyone.selectFrom('mailingLists').selectAll().where('id', '=', id).executeTakeFirst();
}
