// The members of a list, by their addresses.
import { changedRows, jsonb, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import {
  readPivotPage,
  readSkipPage,
  type Paged,
  type PivotPage,
  type SkipPage,
} from '../../../platform/paging/index.ts';
import { addToCount, lockList, type MailingList } from './store.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'mailingListMembers.vars': Record<string, unknown>;
  }
}

export type Member = Row<'mailingListMembers'>;
type OneList = Pick<MailingList, 'id' | 'accountId'>;

/** By short names: hundreds of thousands of them are handed on as JSON. What is not there is not said. */
export interface Entry {
  /** The address. */
  a: string;
  name?: string;
  vars?: Record<string, unknown>;
  /** Whether they are subscribed. */
  s?: boolean;
}

interface Wanted {
  address?: string | undefined;
  isSubscribed?: boolean | undefined;
}

const membersOf = (db: Sql, { id, accountId }: OneList) =>
  db.of(accountId).selectFrom('mailingListMembers').where('listId', '=', id);

export function findMember(db: Sql, list: OneList, address: string): Promise<Member | undefined> {
  return membersOf(db, list).selectAll('mailingListMembers').where('address', '=', address).executeTakeFirst();
}

/** A page by address; `address` is the one that is asked for. */
export function listMembers(
  db: Sql,
  list: OneList,
  { address, isSubscribed, ...page }: SkipPage & Wanted,
): Promise<Paged<Member>> {
  let wanted = membersOf(db, list).selectAll('mailingListMembers');
  if (address !== undefined) wanted = wanted.where('address', '=', address);
  if (isSubscribed !== undefined) wanted = wanted.where('isSubscribed', '=', isSubscribed);
  return readSkipPage(wanted.orderBy('address'), page);
}

/** The addresses of all members, at most so many. */
export async function listAddresses(db: Sql, list: OneList, limit: number): Promise<string[]> {
  const some = membersOf(db, list).select('mailingListMembers.address').orderBy('address').limit(limit);
  return (await some.execute()).map(({ address }) => address);
}

export function pageMembers(
  db: Sql,
  list: OneList,
  { page, isSubscribed }: { page: PivotPage; isSubscribed: boolean | undefined },
): Promise<Member[]> {
  let wanted = membersOf(db, list).selectAll('mailingListMembers');
  if (isSubscribed !== undefined) wanted = wanted.where('isSubscribed', '=', isSubscribed);
  return readPivotPage(wanted, { name: 'address', column: 'address' }, page);
}

interface GivenMember {
  a: string;
  name: string | null;
  vars: Record<string, unknown> | null;
  s: boolean | null;
}

export interface Written {
  added: number;
  updated: number;
}

interface Writing {
  /** Those who are members already are changed as their entries say; else they stay as they are. */
  isUpsert: boolean;
  /** Of those who are new, where their entry does not say. */
  isSubscribed: boolean;
  now: Date;
}

const givenOf = (entries: string) =>
  sql<GivenMember>`jsonb_to_recordset(${entries}::jsonb)`.as<'given'>(
    sql`given(a text, name text, vars jsonb, s boolean)`,
  );

/** Members that there are already; what an entry does not say stays. Answers how many. */
function updateKnown(tx: Sql, list: OneList, given: ReturnType<typeof givenOf>): Promise<number> {
  return changedRows(
    tx
      .of(list.accountId)
      .updateTable('mailingListMembers')
      .from(given)
      .set(({ fn }) => ({
        name: fn.coalesce('given.name', 'mailingListMembers.name'),
        vars: fn.coalesce('given.vars', 'mailingListMembers.vars'),
        isSubscribed: fn.coalesce('given.s', 'mailingListMembers.isSubscribed'),
      }))
      .where('mailingListMembers.listId', '=', list.id)
      .whereRef('mailingListMembers.address', '=', 'given.a'),
  );
}

/** `entries` is JSON, read by the database alone: no address twice. Undefined: the list is gone. */
export async function writeMembers(
  tx: Sql,
  list: OneList,
  { entries, isUpsert, isSubscribed, now }: Writing & { entries: string },
): Promise<Written | undefined> {
  if (!(await lockList(tx, list.accountId, list.id))) return undefined;
  const given = givenOf(entries);
  const updated = isUpsert ? await updateKnown(tx, list, given) : 0;
  const rows = tx.ofAnyone
    .selectFrom(given)
    .select(({ val, fn }) => [
      val(list.id).as('listId'),
      val(list.accountId).as('accountId'),
      'given.a as address',
      fn.coalesce('given.name', val('')).as('name'),
      fn.coalesce('given.vars', sql<Record<string, unknown>>`'{}'::jsonb`).as('vars'),
      fn.coalesce('given.s', sql<boolean>`${isSubscribed}::boolean`).as('isSubscribed'),
      sql<Date>`${now}::timestamptz`.as('createdAt'),
    ]);
  const added = await changedRows(
    tx.ofAnyone
      .insertInto('mailingListMembers')
      .columns(['listId', 'accountId', 'address', 'name', 'vars', 'isSubscribed', 'createdAt'])
      .expression(rows)
      .onConflict((conflict) => conflict.columns(['listId', 'address']).doNothing()),
  );
  await addToCount(tx, list.accountId, { id: list.id, adding: added });
  return { added, updated };
}

/** The same for one. */
export const writeMember = (
  tx: Sql,
  list: OneList,
  { entry, ...writing }: Writing & { entry: Entry },
): Promise<Written | undefined> => writeMembers(tx, list, { ...writing, entries: jsonb([entry]) });

export type MemberChange = Partial<Pick<Member, 'address' | 'name' | 'vars' | 'isSubscribed'>>;

/** Undefined: there is no such member. */
export function updateMember(
  tx: Sql,
  list: OneList,
  { address, change }: { address: string; change: MemberChange },
): Promise<Member | undefined> {
  return tx
    .of(list.accountId)
    .updateTable('mailingListMembers')
    .set(change)
    .where('listId', '=', list.id)
    .where('address', '=', address)
    .returningAll()
    .executeTakeFirst();
}

/** Answers whether it was there. */
export async function deleteMember(tx: Sql, list: OneList, address: string): Promise<boolean> {
  if (!(await lockList(tx, list.accountId, list.id))) return false;
  const gone = tx
    .of(list.accountId)
    .deleteFrom('mailingListMembers')
    .where('listId', '=', list.id)
    .where('address', '=', address);
  const count = await changedRows(gone);
  await addToCount(tx, list.accountId, { id: list.id, adding: -count });
  return count > 0;
}

/** Some of the members, whichever: what a large list is emptied by. Answers how many went. */
export async function deleteSomeMembers(tx: Sql, list: OneList, limit: number): Promise<number> {
  if (!(await lockList(tx, list.accountId, list.id))) return 0;
  const some = membersOf(tx, list).select('mailingListMembers.address').orderBy('address').limit(limit);
  const gone = tx
    .of(list.accountId)
    .deleteFrom('mailingListMembers')
    .where('listId', '=', list.id)
    .where('address', 'in', some);
  const count = await changedRows(gone);
  await addToCount(tx, list.accountId, { id: list.id, adding: -count });
  return count;
}

/** False: they are no member, or left before. */
export async function unsubscribeMember(tx: Sql, list: OneList, address: string): Promise<boolean> {
  const left = tx
    .of(list.accountId)
    .updateTable('mailingListMembers')
    .set({ isSubscribed: false })
    .where('listId', '=', list.id)
    .where('address', '=', address)
    .where('isSubscribed', '=', true);
  return (await changedRows(left)) > 0;
}
