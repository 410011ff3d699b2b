// Lists of this group: `limit` with `offset`, or with a `cursor`, which holds its place while the list grows.
import { sql, type RawBuilder, type Sql } from '../../../platform/db/index.ts';
import { invalid } from '../../../platform/errors/index.ts';

export interface PageQuery {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
  ascending: boolean;
  sort?: string | undefined;
}

interface Listing {
  table: 'seed_lists' | 'placement_results';
  id: 'kid' | 'result_id';
  columns: RawBuilder<unknown>;
  where: RawBuilder<unknown>[];
  /** What may be sorted by; the first is the default. */
  sorts: readonly string[];
}

export interface Paged<Row> {
  items: Row[];
  total: number;
}

/** Reads one page. A cursor is the id of the last row before the page, or of the first after it with `-` in front. */
export async function readPage<Row>(
  db: Sql,
  { table, id, columns, where, sorts }: Listing,
  page: PageQuery,
): Promise<Paged<Row>> {
  if (page.cursor !== undefined && page.offset !== undefined)
    throw invalid('cursor, offset:', 'give one of them, not both.');
  const sort = page.sort ?? (sorts[0] as string);
  if (!sorts.includes(sort)) throw invalid('sort', `must be one of ${sorts.join(', ')}.`);
  const isBackwards = page.cursor?.startsWith('-') ?? false;
  const isAscending = page.ascending !== isBackwards;
  const order = sql.raw(`${sort} ${isAscending ? 'asc' : 'desc'}, ${id} ${isAscending ? 'asc' : 'desc'}`);
  const clauses = [...where];
  if (page.cursor !== undefined) {
    const anchor = page.cursor.replace(/^-/, '');
    clauses.push(sql`
      (${sql.raw(sort)}, ${sql.raw(id)}) ${sql.raw(isAscending ? '>' : '<')} (
        select ${sql.raw(sort)}, ${sql.raw(id)}
        from ${sql.raw(table)}
        where ${sql.raw(id)} = ${anchor}
      )
    `);
  }
  const items = await db.rows(sql<Row>`
    select ${columns}
    from ${sql.raw(table)}
    where ${sql.join(clauses, sql` and `)}
    order by ${order}
    limit ${page.limit} offset ${page.offset ?? 0}
  `);
  const counted = await db.first(
    sql<{ total: number }>`select count(*)::int as total from ${sql.raw(table)} where ${sql.join(where, sql` and `)}`,
  );
  return { items: isBackwards ? items.reverse() : items, total: counted?.total ?? 0 };
}
