// Everything that an account has, whatever the table: for deleting it.
import { sql } from 'kysely';
import type { Sql } from './index.ts';

/** Tables that name an account, without the partitions of others. */
export async function listTablesOfAccounts(db: Sql): Promise<string[]> {
  const found = await db.rows(sql<{ name: string }>`
    select tables.relname as name
    from pg_attribute columns
    join pg_class tables on tables.oid = columns.attrelid
    where columns.attname = 'account_id' and not columns.attisdropped and tables.relkind = 'r'
      and not tables.relispartition and tables.relnamespace = 'public'::regnamespace
    order by 1`);
  return found.map(({ name }) => name);
}

/** PostgreSQL: rows of another table refer to one of these. */
const IS_REFERRED_TO = '23503';

/** Deletes an account's rows of a table, so many at a statement. False: rows of another table refer to some. */
export async function deleteRowsOf(
  db: Sql,
  accountId: string,
  { table, limit }: { table: string; limit: number },
): Promise<boolean> {
  const rows = sql.table(table);
  try {
    let count = limit;
    while (count === limit)
      count = await db.run(sql`
        delete from ${rows} where ctid = any(array(
          select ctid from ${rows} where account_id = ${accountId} limit ${limit}))`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === IS_REFERRED_TO) return false;
    throw error;
  }
}
