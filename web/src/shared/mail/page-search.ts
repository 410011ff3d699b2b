/** Which page of a list the address names; the first one is not named. */
export function readPageSearch({ page }: Record<string, unknown>): { page?: number } {
  return typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {};
}
