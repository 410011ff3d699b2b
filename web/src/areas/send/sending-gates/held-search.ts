// What the address of the held messages remembers.

export interface HeldSearch {
  show?: 'all';
  domain?: string;
  page?: number;
}

export function readHeldSearch({ show, domain, page }: Record<string, unknown>): HeldSearch {
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 1;
  return {
    ...(show === 'all' && { show }),
    ...(typeof domain === 'string' && domain !== '' && { domain }),
    ...(isPage && { page }),
  };
}
