// What the addresses of the pages of mailing lists remember.

interface ListsSearch {
  page?: number;
}

export interface ListSearch extends ListsSearch {
  /** How the addresses of members begin. */
  term?: string;
  subscribed?: 'yes' | 'no';
}

export function readListsSearch({ page }: Record<string, unknown>): ListsSearch {
  return typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {};
}

export function readListSearch(search: Record<string, unknown>): ListSearch {
  const { term, subscribed } = search;
  return {
    ...readListsSearch(search),
    ...(typeof term === 'string' && term !== '' && { term }),
    ...((subscribed === 'yes' || subscribed === 'no') && { subscribed }),
  };
}
