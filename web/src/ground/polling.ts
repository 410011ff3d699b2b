// How long until something that is under way is asked about again.

interface Asked {
  state: { data?: unknown; status: string };
}

/**
 * Every so often while it is under way. What failed is tried again by shell/retries.ts, ever more rarely, and not by
 * this.
 */
export function pollMs<Query extends Asked>(
  { state: { data, status } }: Query,
  isUnderWay: (data: NonNullable<Query['state']['data']>) => boolean,
  everyMs: number,
): number | false {
  return status !== 'error' && data !== undefined && data !== null && isUnderWay(data) ? everyMs : false;
}
