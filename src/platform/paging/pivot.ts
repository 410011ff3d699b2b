// `page` and a pivot: `?page=next&address=ann@example.com` is the page after that address, whether it is listed or not.
import { Type } from 'typebox';
import type { SelectQueryBuilder, Tables } from '../db/index.ts';
import { invalid } from '../errors/index.ts';
import { addressWith } from './addresses.ts';
import { PAGE_NAMES, placesAround, readPlace, type PageName, type Place } from './places.ts';

export interface PivotPage {
  page: PageName;
  limit: number;
  /** The value beside which the page is; `first` and `last` need none. */
  pivot?: string | undefined;
}

/** The fields of the query, beside the pivot's own, {@link pivotField}. */
export function pivotFields({ limit = 100 } = {}) {
  return {
    page: Type.Enum([...PAGE_NAMES], { default: 'first', description: '`next` and `previous` are beside the pivot.' }),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: limit }),
  };
}

/** The field that names the pivot, such as `address`. */
export const pivotField = Type.Optional(
  Type.String({ maxLength: 1000, description: 'The pivot: the page is after it (`next`) or before it (`previous`).' }),
);

function placeOf(name: string, { page, pivot }: PivotPage): Place {
  if (page === 'first' || page === 'last') return { page };
  if (!pivot) throw invalid(name, 'is required where page is next or previous.');
  return { page, at: [pivot] };
}

/**
 * Reads one page. `column` is the one whose values are pivots: no two rows of the list have the same. `name` is what
 * the wire calls it. Throws `invalid_request`.
 */
export function readPivotPage<Table extends keyof Tables, Item>(
  wanted: SelectQueryBuilder<Tables, Table, Item>,
  { name, column }: { name: string; column: keyof Tables[Table] & string },
  page: PivotPage,
): Promise<Item[]> {
  const place = placeOf(name, page);
  return readPlace(wanted, { columns: [column], isAscending: true }, { ...place, limit: page.limit });
}

interface ShownPage {
  /** What the wire calls the pivot. */
  name: string;
  page: PivotPage;
  /** The pivots of the rows that are shown. */
  shown: readonly string[];
  /** Repeated in each address. */
  conditions?: Readonly<Record<string, unknown>>;
}

/** The addresses around a page. */
export function pivotPaging(url: string, { name, page, shown, conditions }: ShownPage) {
  const around = placesAround(
    placeOf(name, page),
    shown.map((pivot) => [pivot]),
  );
  const to = (one: PageName): string => {
    const place = around[one];
    return addressWith(url, { page: place.page, [name]: place.at?.[0], limit: page.limit, ...conditions });
  };
  return { first: to('first'), last: to('last'), next: to('next'), previous: to('previous') };
}
