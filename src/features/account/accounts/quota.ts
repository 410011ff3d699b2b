import type { Quota } from '../../../platform/config/index.ts';
import { QUOTAS } from '../../../platform/config/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { Recent } from '../../../platform/recent/index.ts';

/** What is under way is counted anew after this; what is added here meanwhile is added up. */
const COUNTED_MS = 1000;
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
  /** What there is now. */
  count(): Promise<number>;
}

/**
 * Work that ends by itself. Throws `too_many_requests` when the account would have more of it under way than its quota.
 */
export async function admitWork(
  { config, db }: Pick<Outside, 'config' | 'db'>,
  accountId: string,
  { quota, adding = 1, count }: QuotaRequest,
): Promise<void> {
  const kept = counts.get(db) ?? new Recent<Count>(COUNTS_MAX);
  counts.set(db, kept);
  const key = `${quota} ${accountId}`;
  const max = config.quotas[quota];
  let known = kept.get(key);
  if (!known || performance.now() - known.at > COUNTED_MS || known.count + adding > max) {
    known = { at: performance.now(), count: await count() };
    kept.set(key, known);
  }
  if (known.count + adding > max)
    throw new AppError(
      'too_many_requests',
      `This account has ${known.count} ${QUOTAS[quota].about}; it may have ${max}. Try again when some have ended.`,
      { headers: { 'retry-after': String(RETRY_SECONDS) } },
    );
  known.count += adding;
}

/** What stays until it is deleted. Throws `too_many_requests` when the account has as many as its quota. */
export async function admitStored({ config }: Pick<Outside, 'config'>, { quota, count }: QuotaRequest): Promise<void> {
  const max = config.quotas[quota];
  if ((await count()) >= max)
    throw new AppError(
      'too_many_requests',
      `This account has ${max} ${QUOTAS[quota].about}, which is as many as it may have; delete some first.`,
    );
}
