// Pages of lists that are not counted: the first, the last, and those beside a row.
import { sql, type SelectQueryBuilder, type Tables } from '../db/index.ts';
import { readStretch, type Order } from './keyset.ts';

export const PAGE_NAMES = ['first', 'last', 'next', 'previous'] as const;
export type PageName = (typeof PAGE_NAMES)[number];

/** A row's values of the columns of the order. */
export type Key = readonly (string | number | Date)[];

/** A page: `first`, `last`, or the one after (`next`) or before (`previous`) a row, which may be gone by now. */
export interface Place {
  page: PageName;
  at?: Key;
}

/** The rows of a page, in the order of the list. */
export function readPlace<Table extends keyof Tables, Item>(
  wanted: SelectQueryBuilder<Tables, Table, Item>,
  order: Order<Table>,
  { page, at, limit }: Place & { limit: number },
): Promise<Item[]> {
  return readStretch(wanted, order, {
    from: at && sql`(${sql.join([...at])})`,
    isBackwards: page === 'last' || page === 'previous',
    limit,
  });
}

/**
 * The pages around one that shows rows with these keys. Past the end, `next` is the same page again, so that who asks
 * again sees what was added.
 */
export function placesAround(here: Place, shown: readonly Key[]): Record<PageName, Place> {
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    first: { page: 'first' },
    last: { page: 'last' },
    next: last ? { page: 'next', at: last } : here.page === 'next' ? here : { page: 'first' },
    previous: first ? { page: 'previous', at: first } : here.page === 'previous' ? here : { page: 'last' },
  };
}
