// `limit` and `skip`: lists that are counted, and read from a number of rows on.
import { Type } from 'typebox';
import { rowCount, type RawBuilder, type SelectQueryBuilder, type Tables } from '../db/index.ts';
import { addressWith, Paging } from './addresses.ts';

export interface SkipPage {
  limit: number;
  skip: number;
}

export interface Paged<Item> {
  items: Item[];
  /** Of the whole list. */
  total: number;
}

/** The fields of the query. `limit` is the length of a page where none is asked for, `max` what may be asked for. */
export function skipFields({ limit = 100, max = 1000 } = {}) {
  return {
    limit: Type.Integer({ minimum: 1, maximum: max, default: limit }),
    skip: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
  };
}

/** What stands before the items of a reply that says how long the list is. */
export const countedFields = { meta: Type.Object({ count: Type.Integer() }), paging: Paging };

/** One page of an ordered query. */
export function pageOf<Table extends keyof Tables, Item>(
  ordered: SelectQueryBuilder<Tables, Table, Item>,
  { limit, skip }: SkipPage,
): SelectQueryBuilder<Tables, Table, Item> {
  return ordered.limit(limit).offset(skip);
}

/** One page of an ordered query, and how long the list is. `count` says it of a query in groups. */
export async function readSkipPage<Table extends keyof Tables, Item>(
  ordered: SelectQueryBuilder<Tables, Table, Item>,
  page: SkipPage,
  count: RawBuilder<number> = rowCount,
): Promise<Paged<Item>> {
  const items = await pageOf(ordered, page).execute();
  const all = ordered.clearSelect().clearOrderBy().clearGroupBy();
  const { total } = await all.select(count.as('total')).executeTakeFirstOrThrow();
  return { items: items as Item[], total };
}

/** The addresses around a page. What else stands in `query` are conditions that each of them repeats. */
export function skipPaging(
  url: string,
  { limit, skip, ...conditions }: SkipPage & Readonly<Record<string, unknown>>,
  total: number,
) {
  const at = (from: number): string => addressWith(url, { ...conditions, limit, skip: from });
  return {
    first: at(0),
    last: at(Math.max(0, Math.ceil(total / limit) - 1) * limit),
    ...(skip + limit < total && { next: at(skip + limit) }),
    ...(skip > 0 && { previous: at(Math.max(0, skip - limit)) }),
  };
}

/** The fields before the items of a page: how long the list is, and the addresses around the page. */
export function countedPaging(url: string, query: Parameters<typeof skipPaging>[1], total: number) {
  return { meta: { count: total }, paging: skipPaging(url, query, total) };
}

/** As {@link EndlessPaging}, with capital letters: dynamic pools write it so. */
export const CapitalPaging = Type.Object(
  { Next: Type.String(), Previous: Type.String(), First: Type.String(), Last: Type.String() },
  { title: 'CapitalPaging' },
);

/** The addresses around a page, all four always: after the last page comes one without items. */
export function capitalPaging(
  url: string,
  { limit, skip, ...conditions }: SkipPage & Readonly<Record<string, unknown>>,
  total: number,
): Type.Static<typeof CapitalPaging> {
  const at = (from: number): string => addressWith(url, { ...conditions, limit, skip: from });
  return {
    Next: at(skip + limit),
    Previous: at(Math.max(0, skip - limit)),
    First: at(0),
    Last: at(Math.max(0, Math.ceil(total / limit) - 1) * limit),
  };
}
