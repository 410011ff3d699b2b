// What is known of domains: lists, previews, what could be enrolled.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { ComputeError } from '../../../platform/compute/index.ts';
import { findAccount } from '../../account/accounts/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { matchNames } from './computations.ts';
import { getEnrollment } from './enrollment.ts';
import { judge } from './rates.ts';
import { listAssignable, type Assignable } from './store.ts';

type Doors = Pick<Context, 'config' | 'compute' | 'db' | 'clock' | 'events' | 'secrets' | 'principal'>;

/** Throws `invalid_request` for a pattern that is none, or that takes too long. */
async function matching({ compute }: Pick<Doors, 'compute'>, names: string[], pattern: string): Promise<Set<string>> {
  try {
    new RegExp(pattern, 'i');
  } catch {
    throw invalid('domain', 'must be a regular expression such as ^news\\.');
  }
  try {
    return new Set(await compute.run(matchNames, { pattern, names }, { urgency: 'answer' }));
  } catch (error) {
    if (!(error instanceof ComputeError)) throw error;
    throw invalid('domain', 'takes too long to match; give a simpler regular expression.');
  }
}

/** Domains that could be enrolled. Throws `not_found` for a subaccount of somebody else, and `invalid_request`. */
export async function assignableDomains(
  doors: Doors,
  { subaccountId = '', pattern = '' }: { subaccountId: string | undefined; pattern: string | undefined },
): Promise<Assignable[]> {
  const { config, db, principal } = doors;
  const accountId = subaccountId || principal.accountId;
  if (accountId !== principal.accountId && (await findAccount(db, accountId))?.parentId !== principal.accountId)
    throw new AppError('not_found', `No subaccount has the id "${accountId}".`);
  const domains = await listAssignable(db, [accountId], { limit: config.quotas.domains });
  if (pattern === '' || domains.length === 0) return domains;
  const names = await matching(
    doors,
    domains.map(({ name }) => name),
    pattern,
  );
  return domains.filter(({ name }) => names.has(name));
}

/** Where a check would put a domain now. Throws `not_found`. */
export async function previewDomain(doors: Doors, name: string) {
  const { clock, principal } = doors;
  const enrollment = await getEnrollment(doors, name).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
  const domain = enrollment ?? (await getDomain(doors, principal.accountId, name));
  const { band, bandedAt } = enrollment ?? { band: null, bandedAt: null };
  const [verdict] = await judge(
    doors,
    [{ accountId: domain.accountId, name: domain.name, band, bandedAt }],
    clock.now(),
  );
  return { verdict: verdict!, band, isOverride: enrollment?.isOverride ?? false };
}
