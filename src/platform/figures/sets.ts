// What rows of sums tell apart. Of each sum there is a row that tells apart by all columns; beside it stand rows that
// tell apart by few, so that any one column and any two are answered from few rows. A row says by a number which it is.
export type SumTable = 'figure_hours' | 'figure_days';

/** The columns that any row may tell apart by. An address has its pool, and a program its device: they go together. */
export type SetColumn = 'domain' | 'provider' | 'ip' | 'ipPool' | 'country' | 'device' | 'bot';

/** What a row tells apart beside: nothing, a tag of the message, the recipient's domain. It is kept in one column. */
const DETAILS = { none: 0, tag: 32, recipientDomain: 64 } as const;
export type Detail = keyof typeof DETAILS;

const [DOMAIN, PROVIDER, IP, COUNTRY, DEVICE] = [1, 2, 4, 8, 16];
const ALL = DOMAIN + PROVIDER + IP + COUNTRY + DEVICE;

/** The columns of each part of a row's number. */
const PARTS: readonly { part: number; columns: readonly SetColumn[] }[] = [
  { part: DOMAIN, columns: ['domain'] },
  { part: PROVIDER, columns: ['provider'] },
  { part: IP, columns: ['ip', 'ipPool'] },
  { part: COUNTRY, columns: ['country'] },
  { part: DEVICE, columns: ['device', 'bot'] },
];

/**
 * The sets that are held, from those of few rows to those of many. A tag is always of a domain, since it is forgotten
 * with the figures of one. By the hour there are none but those of all: an hour has few rows.
 */
const SETS: Readonly<Record<SumTable, Readonly<Record<Detail, readonly number[]>>>> = {
  figure_days: {
    none: [
      0,
      DOMAIN,
      DOMAIN + IP,
      DOMAIN + PROVIDER,
      PROVIDER + IP,
      IP + DEVICE,
      PROVIDER + DEVICE,
      DOMAIN + DEVICE,
      IP + COUNTRY,
      PROVIDER + COUNTRY,
      COUNTRY + DEVICE,
      DOMAIN + COUNTRY,
      ALL,
    ],
    tag: [DOMAIN + IP, DOMAIN + PROVIDER, DOMAIN + DEVICE, DOMAIN + COUNTRY, ALL],
    recipientDomain: [PROVIDER, IP, DEVICE, DOMAIN, COUNTRY, ALL],
  },
  figure_hours: {
    none: [ALL],
    tag: [ALL],
    recipientDomain: [],
  },
};

interface ColumnSet {
  number: number;
  columns: readonly SetColumn[];
}

/** The sets of a table that have `detail`. */
export const setsOf = (table: SumTable, detail: Detail): ColumnSet[] =>
  SETS[table][detail].map((set) => ({
    number: DETAILS[detail] + set,
    columns: PARTS.filter(({ part }) => (set & part) !== 0).flatMap(({ columns }) => columns),
  }));

/** The number of the smallest set that tells apart by these columns; undefined: none is held. */
export const smallestSet = (
  table: SumTable,
  { columns, detail }: { columns: readonly SetColumn[]; detail: Detail },
): number | undefined =>
  setsOf(table, detail).find((set) => columns.every((column) => set.columns.includes(column)))?.number;

/** The number of rows that tell apart by all columns. */
export const wholeSet = (detail: Detail): number => DETAILS[detail] + ALL;

/** A column of each part, the one of the highest part first: as SQL's `grouping` makes a number of them. */
export const LEADERS: readonly SetColumn[] = PARTS.map(({ columns }) => columns[0] as SetColumn).reverse();
