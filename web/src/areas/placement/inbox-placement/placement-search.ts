// What the addresses of the placement pages remember.

/** `list` is the address of a seed list. */
export function readResultsSearch({ page, list }: Record<string, unknown>): { page?: number; list?: string } {
  return {
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 && { page }),
    ...(typeof list === 'string' && list && { list }),
  };
}

/** Which list a new test goes to, and which result it repeats. */
export function readNewSearch({ list }: Record<string, unknown>): { list?: string } {
  return typeof list === 'string' && list ? { list } : {};
}
