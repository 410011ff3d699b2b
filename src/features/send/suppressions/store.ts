// The lists, by account, domain and list. Their order is that of the addresses, by bytes.
import { changedRows, jsonb, sql, type Row, type Sql } from '../../../platform/db/index.ts';

import { readPivotPage, type PivotPage } from '../../../platform/paging/index.ts';
import type { ListName } from './contract.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'suppressions.list': ListName;
    'suppressionImports.list': ListName;
  }
}

export type Suppression = Row<'suppressions'>;

/** By short names: hundreds of thousands of them are handed on as JSON. */
export interface Entry {
  /** The address, or a domain of the allowlist. */
  a: string;
  /** Of bounces. */
  code?: string;
  error?: string;
  /** Of unsubscribes. */
  tags?: string[];
  /** Of the allowlist. */
  reason?: string;
  /** ISO 8601; without it, now. */
  at?: string;
}

/** One list of one domain of an account. */
export interface List {
  accountId: string;
  domain: string;
  list: ListName;
}

const entriesOf = (db: Sql, { accountId, domain, list }: List) =>
  db.of(accountId).selectFrom('suppressions').where('domain', '=', domain).where('list', '=', list);

/** A page; `term` is how the addresses begin. */
export function listEntries(
  db: Sql,
  list: List,
  { page, term }: { page: PivotPage; term: string | undefined },
): Promise<Suppression[]> {
  let wanted = entriesOf(db, list).selectAll('suppressions');
  if (term !== undefined)
    // Nothing that begins so comes after the last character that there is.
    wanted = wanted.where('address', '>=', term).where('address', '<', `${term}\u{10ffff}`);
  return readPivotPage(wanted, { name: 'address', column: 'address' }, page);
}

export function findEntry(db: Sql, list: List, address: string): Promise<Suppression | undefined> {
  return entriesOf(db, list).selectAll('suppressions').where('address', '=', address).executeTakeFirst();
}

interface GivenEntry {
  a: string;
  code: string | null;
  error: string | null;
  tags: string[] | null;
  reason: string | null;
  at: Date | null;
}

/** `entries` is JSON, read by the database alone: no address twice. What is there is replaced, tags are added. */
async function writeEntries(
  tx: Sql,
  { accountId, domain, list }: List,
  { entries, now }: { entries: string; now: Date },
): Promise<void> {
  const given = sql<GivenEntry>`jsonb_to_recordset(${entries}::jsonb)`.as<'given'>(
    sql`given(a text, code text, error text, tags text[], reason text, at timestamptz)`,
  );
  const rows = tx.ofAnyone
    .selectFrom(given)
    .select(({ val, fn }) => [
      val(accountId).as('accountId'),
      val(domain).as('domain'),
      val(list).as('list'),
      'given.a as address',
      fn.coalesce('given.code', val('')).as('code'),
      fn.coalesce('given.error', val('')).as('error'),
      fn.coalesce('given.tags', sql<string[]>`'{}'::text[]`).as('tags'),
      fn.coalesce('given.reason', val('')).as('reason'),
      fn.coalesce('given.at', sql<Date>`${now}::timestamptz`).as('createdAt'),
    ]);
  await tx.ofAnyone
    .insertInto('suppressions')
    .columns(['accountId', 'domain', 'list', 'address', 'code', 'error', 'tags', 'reason', 'createdAt'])
    .expression(rows)
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'domain', 'list', 'address']).doUpdateSet(({ ref }) => ({
        code: ref('excluded.code'),
        error: ref('excluded.error'),
        reason: ref('excluded.reason'),
        createdAt: ref('excluded.createdAt'),
        tags: sql<string[]>`array(
          select distinct tag from unnest(suppressions.tags || excluded.tags) as both_of (tag) order by tag
        )`,
      })),
    )
    .execute();
}

/** Adds entries, of which no two have the same address. */
export async function addEntries(
  tx: Sql,
  list: List,
  { entries, now }: { entries: readonly Entry[]; now: Date },
): Promise<void> {
  if (entries.length > 0) await writeEntries(tx, list, { entries: jsonb(entries), now });
}

/** Entries of all lists of an account, those of files that are yet to be written left out. */
export async function countEntries(db: Sql, accountId: string): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('suppressions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Answers whether it was there. */
export async function deleteEntry(db: Sql, { accountId, domain, list }: List, address: string): Promise<boolean> {
  const gone = db
    .of(accountId)
    .deleteFrom('suppressions')
    .where('domain', '=', domain)
    .where('list', '=', list)
    .where('address', '=', address);
  return (await changedRows(gone)) > 0;
}

export async function deleteEntries(db: Sql, { accountId, domain, list }: List): Promise<void> {
  await db.of(accountId).deleteFrom('suppressions').where('domain', '=', domain).where('list', '=', list).execute();
}

/** Takes one tag from an unsubscribe, which goes with its last. Answers whether the address had it. */
export async function removeTag(
  tx: Sql,
  list: List,
  { address, tag }: { address: string; tag: string },
): Promise<boolean> {
  const [left] = await tx
    .of(list.accountId)
    .updateTable('suppressions')
    .set({ tags: sql<string[]>`array(select kept from unnest(tags) as one (kept) where lower(kept) <> lower(${tag}))` })
    .where('domain', '=', list.domain)
    .where('list', '=', list.list)
    .where('address', '=', address)
    .where(sql<boolean>`lower(${tag}) in (select lower(one.had) from unnest(tags) as one (had))`)
    .returning('tags')
    .execute();
  if (left?.tags.length === 0) await deleteEntry(tx, list, address);
  return left !== undefined;
}

/** Keeps the entries of a file, part by part, for the job that writes them. */
export async function saveImport(
  tx: Sql,
  { accountId, domain, list }: List,
  { importId, parts }: { importId: string; parts: readonly string[] },
): Promise<void> {
  for (const [place, entries] of parts.entries())
    await tx.of(accountId).insert('suppressionImports', { importId, place, domain, list, entries }).execute();
}

/** Writes the next part of an import; false: there was none left. */
export async function writeNextPart(tx: Sql, importId: string, now: Date): Promise<boolean> {
  const part = await tx.ofAnyone
    .deleteFrom('suppressionImports')
    .where('importId', '=', importId)
    .where('place', '=', (from) =>
      from
        .selectFrom('suppressionImports')
        .select(({ fn }) => fn.min<number>('place').as('first'))
        .where('importId', '=', importId),
    )
    .returningAll()
    .executeTakeFirst();
  if (!part) return false;
  await writeEntries(tx, part, { entries: part.entries, now });
  return true;
}

/** Adds tags to an address that unsubscribed; false: it had them all, or every message. */
export async function addTags(
  tx: Sql,
  { accountId, domain }: Pick<List, 'accountId' | 'domain'>,
  { address, tags, now }: { address: string; tags: readonly string[]; now: Date },
): Promise<boolean> {
  const list: List = { accountId, domain, list: 'unsubscribes' };
  await tx.lock(`unsubscribe ${accountId} ${domain} ${address}`);
  const had = new Set((await findEntry(tx, list, address))?.tags);
  if (had.has('*') || tags.every((tag) => had.has(tag))) return false;
  await addEntries(tx, list, { entries: [{ a: address, tags: [...tags] }], now });
  return true;
}
