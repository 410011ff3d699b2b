import type { Quota } from '../../../platform/config/index.ts';
import { QUOTAS } from '../../../platform/config/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { Recent } from '../../../platform/recent/index.ts';

/** What there is is counted anew after this; what is added here meanwhile is added up. */
const COUNTED_MS = 1000;
/** The same for what takes long to count. */
const SLOWLY_COUNTED_MS = 60_000;
const RETRY_SECONDS = 10;
const COUNTS_MAX = 10_000;

interface Count {
  count: number;
  at: number;
}

const counts = new WeakMap<Db, Recent<Count>>();

interface QuotaRequest {
  quota: Quota;
  adding?: number;
  /** Counting takes long, so that it is done seldom. */
  isSlow?: boolean;
  /** What there is now. */
  count(): Promise<number>;
}

/**
 * Counts what is added. How many there are, when those would be more than the quota: that is counted anew. A count may
 * take longer than what is admitted by it, so that it is not made for every request.
 */
async function countBeyond(
  { config, db }: Pick<Outside, 'config' | 'db'>,
  accountId: string,
  { quota, adding = 1, isSlow = false, count }: QuotaRequest,
): Promise<number | undefined> {
  const kept = counts.get(db) ?? new Recent<Count>(COUNTS_MAX);
  counts.set(db, kept);
  const key = `${quota} ${accountId}`;
  const max = config.quotas[quota];
  let known = kept.get(key);
  const isOlderThan = (ms: number): boolean => !known || performance.now() - known.at > ms;
  const isFull = known !== undefined && known.count + adding > max;
  if (
    !known ||
    isOlderThan(isSlow ? SLOWLY_COUNTED_MS : COUNTED_MS) ||
    (isFull && isOlderThan(isSlow ? COUNTED_MS : 0))
  ) {
    known = { at: performance.now(), count: await count() };
    kept.set(key, known);
  }
  if (known.count + adding > max) return known.count;
  known.count += adding;
  return undefined;
}

/**
 * Work that ends by itself. Throws `too_many_requests` when the account would have more of it under way than its quota.
 */
export async function admitWork(
  outside: Pick<Outside, 'config' | 'db'>,
  accountId: string,
  request: QuotaRequest,
): Promise<void> {
  const count = await countBeyond(outside, accountId, request);
  if (count === undefined) return;
  const max = outside.config.quotas[request.quota];
  throw new AppError(
    'too_many_requests',
    `This account has ${count} ${QUOTAS[request.quota].about}; it may have ${max}. Try again when some have ended.`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } },
  );
}

/** What stays until it is deleted. Throws `too_many_requests` when the account has as many as its quota. */
export async function admitStored(
  outside: Pick<Outside, 'config' | 'db'>,
  accountId: string,
  request: QuotaRequest,
): Promise<void> {
  const count = await countBeyond(outside, accountId, request);
  if (count === undefined) return;
  const { quota, adding = 1 } = request;
  const max = outside.config.quotas[quota];
  const { about } = QUOTAS[quota];
  throw new AppError(
    'too_many_requests',
    adding === 1
      ? `This account has ${max} ${about}, which is as many as it may have; delete some first.`
      : `This account has ${count} ${about}; with ${adding} more it would have more than ${max}. Delete some first.`,
  );
}
