// `limit` with `offset`, or with a `cursor`, which holds its place while the list grows.
import { Type } from 'typebox';
import { rowCount, sql, type SelectQueryBuilder, type Tables } from '../db/index.ts';
import { invalid } from '../errors/index.ts';
import { addressWith } from './addresses.ts';
import { readStretch } from './keyset.ts';
import type { Paged } from './skip.ts';

export interface CursorPage {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
  ascending: boolean;
  sort?: string | undefined;
}

/** The fields of the query. `held` is how many a page holds at most, where that is fewer than may be asked for. */
export function cursorFields({ limit = 25, held }: { limit?: number; held: number }) {
  return {
    limit: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: limit,
      description: `A page holds at most ${held}.`,
    }),
    offset: Type.Optional(Type.Integer({ minimum: 0 })),
    cursor: Type.Optional(
      Type.String({ maxLength: 200, description: 'The cursor from `paging`. It cannot be combined with `offset`.' }),
    ),
    ascending: Type.Boolean({ default: false }),
    sort: Type.Optional(Type.String({ maxLength: 40 })),
  };
}

/** The first page and the last are always there. */
export const CursorPaging = Type.Object(
  {
    first: Type.String(),
    last: Type.String(),
    next: Type.Optional(Type.String()),
    previous: Type.Optional(Type.String()),
  },
  { title: 'PlacementPaging' },
);

interface Listing<Table extends keyof Tables, Item> {
  /** Every row of the account. */
  own: SelectQueryBuilder<Tables, Table, object>;
  /** Those of them that are asked for. */
  wanted: SelectQueryBuilder<Tables, Table, Item>;
  id: keyof Tables[Table] & string;
  /** What may be sorted by, with the column; the first is the default. */
  sorts: Record<string, keyof Tables[Table] & string>;
}

/** Reads one page. A cursor is the id of the last row before the page, or of the first after it with `-` in front. */
export async function readCursorPage<Table extends keyof Tables, Item>(
  { own, wanted, id, sorts }: Listing<Table, Item>,
  { limit, offset, cursor, ascending, sort = Object.keys(sorts)[0]! }: CursorPage,
): Promise<Paged<Item>> {
  if (cursor !== undefined && offset !== undefined) throw invalid('cursor, offset:', 'give one of them, not both.');
  const column = Object.hasOwn(sorts, sort) ? sorts[sort] : undefined;
  if (column === undefined) throw invalid('sort', `must be one of ${Object.keys(sorts).join(', ')}.`);
  const [sorted, named] = [sql.ref(column), sql.ref(id)];
  const from =
    cursor === undefined
      ? undefined
      : own.select([sorted.as('sort'), named.as('id')]).where(named, '=', cursor.replace(/^-/, ''));
  const items = await readStretch(
    wanted,
    { columns: [column, id], isAscending: ascending },
    {
      from: from && sql`${from}`,
      isBackwards: cursor?.startsWith('-') ?? false,
      limit,
      skip: offset ?? 0,
    },
  );
  const { total } = await wanted.clearSelect().select(rowCount.as('total')).executeTakeFirstOrThrow();
  return { items, total };
}

interface ShownPage {
  /** What was asked for: conditions too, which each address repeats. */
  query: CursorPage & Readonly<Record<string, unknown>>;
  /** The ids of the rows that are shown. */
  ids: readonly string[];
  total: number;
}

/** The addresses around a page. */
export function cursorPaging(url: string, { query, ids, total }: ShownPage) {
  const { offset, cursor, ascending, ...repeated } = query;
  const at = (place: { offset?: number; cursor?: string }): string =>
    addressWith(url, { ...repeated, ascending: ascending ? 1 : 0, ...place });
  const [first, last] = [ids[0], ids.at(-1)];
  const lastOffset = Math.max(0, Math.ceil(total / query.limit) - 1) * query.limit;
  const seen = (offset ?? 0) + ids.length;
  return {
    first: at({ offset: 0 }),
    last: at({ offset: lastOffset }),
    ...(last !== undefined &&
      (cursor !== undefined ? ids.length === query.limit : seen < total) && { next: at({ cursor: last }) }),
    ...(first !== undefined &&
      (cursor !== undefined || (offset ?? 0) > 0) && { previous: at({ cursor: `-${first}` }) }),
  };
}
