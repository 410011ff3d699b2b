// What the address of the queue remembers.

export interface QueueSearch {
  domain?: string;
  destination?: string;
  recipient?: string;
  page?: number;
}

export function readQueueSearch({ domain, destination, recipient, page }: Record<string, unknown>): QueueSearch {
  const texts = Object.entries({ domain, destination, recipient }).filter(
    ([, value]) => typeof value === 'string' && value !== '',
  );
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 1;
  return { ...Object.fromEntries(texts), ...(isPage && { page }) };
}
