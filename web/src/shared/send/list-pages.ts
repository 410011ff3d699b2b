// Lists as they are exported: every page of them, one after the other, as the service gives them to this reader.
import type { CsvRow } from '../../ground/csv.ts';

/** Rows, page after page. */
export type RowPages = AsyncIterable<readonly CsvRow[]>;

/** What a file has of a list. */
export interface ListExport {
  /** The names of its columns. */
  columns: readonly string[];
  pages: (signal: AbortSignal) => RowPages;
}

const LIMIT = 1000;

/** A list that is read by `limit` and `skip`. */
export async function* skipPages<Item>(
  read: (page: { limit: number; skip: number }) => Promise<readonly Item[]>,
  rowOf: (item: Item) => CsvRow,
  limit = LIMIT,
): RowPages {
  for (let skip = 0; ; skip += limit) {
    const items = await read({ limit, skip });
    if (items.length > 0) yield items.map(rowOf);
    if (items.length < limit) return;
  }
}

/** A list of which each page begins behind the last item of the one before. */
export async function* pivotPages<Item>(
  read: (after: Item | undefined, limit: number) => Promise<readonly Item[]>,
  rowOf: (item: Item) => CsvRow,
  limit = LIMIT,
): RowPages {
  for (let after: Item | undefined; ;) {
    const items = await read(after, limit);
    if (items.length > 0) yield items.map(rowOf);
    if (items.length < limit) return;
    after = items.at(-1);
  }
}

/** A list that is there already. */
export async function* onePage(rows: readonly CsvRow[]): RowPages {
  yield rows;
}
