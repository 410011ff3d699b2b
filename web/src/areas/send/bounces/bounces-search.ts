// What the address of the page of bounces remembers.

export interface BouncesSearch {
  domain?: string;
  /** Days up to now; without it, seven. */
  days?: 1 | 30 | 90;
}

export function readBouncesSearch({ domain, days }: Record<string, unknown>): BouncesSearch {
  const isDomain = typeof domain === 'string' && domain !== '';
  return {
    ...(isDomain && { domain }),
    ...((days === 1 || days === 30 || days === 90) && { days }),
  };
}
