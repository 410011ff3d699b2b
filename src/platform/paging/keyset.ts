// Reads on from a row instead of counting the rows before it: as fast at the end of a list as at its beginning, and no
// row comes twice when others are added meanwhile.
import { sql, type RawBuilder, type SelectQueryBuilder, type Tables } from '../db/index.ts';

/** The columns that a list is ordered by, of which the last tells rows apart; all up, or all down. */
export interface Order<Table extends keyof Tables> {
  columns: readonly (keyof Tables[Table] & string)[];
  isAscending: boolean;
}

/** Which rows: those after `from` in the order, or before it; without it, from that end of the list on. */
interface Stretch {
  /** The row's values of the columns, in brackets; null for a row that is gone, after which nothing comes. */
  from: RawBuilder<unknown> | undefined;
  isBackwards: boolean;
  limit: number;
  skip?: number;
}

/** The rows of a stretch, in the order of the list. */
export async function readStretch<Table extends keyof Tables, Item>(
  wanted: SelectQueryBuilder<Tables, Table, Item>,
  { columns, isAscending }: Order<Table>,
  { from, isBackwards, limit, skip = 0 }: Stretch,
): Promise<Item[]> {
  const isUp = isAscending !== isBackwards;
  const refs = columns.map((column) => sql.ref(column));
  let rows = wanted;
  if (from) rows = rows.where(sql<boolean>`(${sql.join(refs)}) ${isUp ? sql`>` : sql`<`} ${from}`);
  for (const ref of refs) rows = rows.orderBy(ref, isUp ? 'asc' : 'desc');
  const items = (await rows.limit(limit).offset(skip).execute()) as Item[];
  return isBackwards ? items.reverse() : items;
}
