// What the address of the held messages remembers.

export interface HeldSearch {
  show?: 'all';
  page?: number;
}

export function readHeldSearch({ show, page }: Record<string, unknown>): HeldSearch {
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 1;
  return { ...(show === 'all' && { show }), ...(isPage && { page }) };
}
