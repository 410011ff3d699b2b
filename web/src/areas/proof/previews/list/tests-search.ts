// What the address of the list remembers.

export const SEARCHED = ['subject', 'reference_id', 'customer_id'] as const;
export type Searched = (typeof SEARCHED)[number];

export interface TestsSearch {
  q?: string;
  /** Which field `q` is looked for in; the subject when left out. */
  by?: Searched;
  /** `2026-11-21`, in the reader's time zone; both ends included. */
  from?: string;
  to?: string;
  page?: number;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function given<Fields extends object>(fields: { [Name in keyof Fields]: Fields[Name] | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

export function readTestsSearch(search: Record<string, unknown>): TestsSearch {
  const { q, by, from, to, page } = search;
  return given<TestsSearch>({
    q: typeof q === 'string' && q ? q : typeof q === 'number' ? String(q) : undefined,
    by: SEARCHED.find((field) => field === by && field !== 'subject'),
    from: typeof from === 'string' && DAY.test(from) ? from : undefined,
    to: typeof to === 'string' && DAY.test(to) ? to : undefined,
    page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined,
  });
}

/** Midnight in the reader's zone, some days on, as the service takes it. */
function midnight(date: string, daysOn: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return String(Math.floor(new Date(year, month - 1, day + daysOn).getTime() / 1000) - (daysOn ? 1 : 0));
}

/** The same as the service's query. */
export function queryOf({ q, by = 'subject', from, to, page = 1 }: TestsSearch) {
  return { ...(q && { [by]: q }), ...(from && { from: midnight(from, 0) }), ...(to && { to: midnight(to, 1) }), page };
}

export function isSearched({ q, from, to }: TestsSearch): boolean {
  return Boolean(q || from || to);
}
