// What the address of the page of suppressions remembers.

export const LISTS = ['bounces', 'unsubscribes', 'complaints', 'whitelists'] as const;
export type ListName = (typeof LISTS)[number];

export interface SuppressionsSearch {
  list?: ListName;
  domain?: string;
  /** How the addresses begin. */
  term?: string;
  /** The page beside this address. */
  page?: 'next' | 'previous';
  address?: string;
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export function readSuppressionsSearch(search: Record<string, unknown>): SuppressionsSearch {
  const { list, domain, term, page, address } = search;
  const isBeside = (page === 'next' || page === 'previous') && textIn(address) !== undefined;
  const found = {
    list: LISTS.find((name) => name === list && name !== 'bounces'),
    domain: textIn(domain),
    term: textIn(term),
    page: isBeside ? page : undefined,
    address: isBeside ? textIn(address) : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as SuppressionsSearch;
}
