// Lists of this group: `limit` with `offset`, or with a `cursor`, which holds its place while the list grows.
import { rowCount, sql, type SelectQueryBuilder, type Tables } from '../../../platform/db/index.ts';
import { invalid } from '../../../platform/errors/index.ts';

export interface PageQuery {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
  ascending: boolean;
  sort?: string | undefined;
}

interface Listing<Table extends keyof Tables, Item> {
  /** Every row of the account. */
  own: SelectQueryBuilder<Tables, Table, object>;
  /** Those of them that are asked for. */
  wanted: SelectQueryBuilder<Tables, Table, Item>;
  id: keyof Tables[Table] & string;
  /** What may be sorted by, with the column; the first is the default. */
  sorts: Record<string, keyof Tables[Table] & string>;
}

export interface Paged<Row> {
  items: Row[];
  total: number;
}

/** Reads one page. A cursor is the id of the last row before the page, or of the first after it with `-` in front. */
export async function readPage<Table extends keyof Tables, Item>(
  { own, wanted, id, sorts }: Listing<Table, Item>,
  { limit, offset, cursor, ascending, sort = Object.keys(sorts)[0]! }: PageQuery,
) {
  if (cursor !== undefined && offset !== undefined) throw invalid('cursor, offset:', 'give one of them, not both.');
  const column = Object.hasOwn(sorts, sort) ? sorts[sort] : undefined;
  if (column === undefined) throw invalid('sort', `must be one of ${Object.keys(sorts).join(', ')}.`);
  const isBackwards = cursor?.startsWith('-') ?? false;
  const isAscending = ascending !== isBackwards;
  const place = [sql.ref(column), sql.ref(id)] as const;
  let page = wanted;
  if (cursor !== undefined) {
    const anchor = own.select([place[0].as('sort'), place[1].as('id')]).where(place[1], '=', cursor.replace(/^-/, ''));
    page = page.where(sql<boolean>`(${sql.join(place)}) ${sql.raw(isAscending ? '>' : '<')} ${anchor}`);
  }
  const direction = isAscending ? 'asc' : 'desc';
  const items = await page
    .orderBy(place[0], direction)
    .orderBy(place[1], direction)
    .limit(limit)
    .offset(offset ?? 0)
    .execute();
  const { total } = await wanted.clearSelect().select(rowCount.as('total')).executeTakeFirstOrThrow();
  return { items: isBackwards ? items.reverse() : items, total };
}
