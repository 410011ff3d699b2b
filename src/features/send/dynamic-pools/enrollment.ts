// Domains into the dynamic pools, and out of them.
import type { Verdict } from '../../../engines/reputation-bands/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { listSubaccountIds } from '../../account/accounts/index.ts';
import { changeRoutes } from '../ip-pools/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { CHECK_MS, noteMove } from './check.ts';
import { admitOwner, findPools, initiatedBy } from './names.ts';
import { notSetUp } from './pools.ts';
import { judge } from './rates.ts';
import { putReplacement, readReplacement, replacementWords, type Given, type Replacement } from './replacement.ts';
import { deleteEnrollment, findEnrollments, holdEnrollment, insertEnrollment, type Enrollment } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'clock' | 'events'>;
type Asker = Doors & Pick<Context, 'secrets' | 'principal' | 'requestor' | 'requestorClient'>;

interface Entry {
  ownerId: string;
  domain: { id: string; accountId: string; name: string };
  verdict: Verdict;
  initiatedBy: string;
  replacement?: Replacement;
  at: Date;
}

/**
 * Puts a judged domain into its pool. False: it is in one already. Throws `invalid_request` where there are no pools.
 */
export function enter(doors: Pick<Doors, 'db'>, entry: Entry): Promise<boolean> {
  const { ownerId, domain, verdict, replacement, at } = entry;
  const { id: domainId, accountId, name } = domain;
  const { band, reason, ...rates } = verdict;
  return changeRoutes(doors, ownerId, async (tx) => {
    if ((await findPools(tx, ownerId)).size < 3) throw notSetUp('invalid_request');
    const isNew = await insertEnrollment(tx, {
      domainId,
      accountId,
      ownerId,
      band,
      isOverride: false,
      ...rates,
      reason,
      bandedAt: at,
      enrolledAt: at,
      checkedAt: at,
      dueAt: new Date(at.getTime() + CHECK_MS),
    });
    if (!isNew) return false;
    if (replacement) await putReplacement(tx, domain, { replacement, at });
    const move = { to: band, from: '' as const, reason: `Enrolled. ${reason}`, rates, at };
    await noteMove(tx, { domainId, accountId, ownerId, name }, { ...move, initiatedBy: entry.initiatedBy });
    return true;
  });
}

/** Throws `not_found`, `invalid_request`, `forbidden`, and `conflict` for a domain that is in a dynamic pool. */
export async function enrollDomain(doors: Asker, name: string, given: Given): Promise<void> {
  const { db, clock, principal } = doors;
  const ownerId = await admitOwner(doors);
  const domain = await getDomain(doors, principal.accountId, name);
  const replacement = await readReplacement(doors, domain, given);
  if ((await findPools(db, ownerId)).size < 3) throw notSetUp('invalid_request');
  const at = clock.now();
  const { accountId, name: plain } = domain;
  const [verdict] = await judge(doors, [{ accountId, name: plain, band: null, bandedAt: null }], at);
  const entry = { ownerId, domain, verdict: verdict!, initiatedBy: initiatedBy(doors), replacement, at };
  if (!(await enter(doors, entry))) throw new AppError('conflict', `The domain ${plain} is in a dynamic pool already.`);
}

/**
 * The one domain of that name in a dynamic pool: the account's own, or that of a subaccount in its pools. Throws
 * `not_found`, and `invalid_request` when several subaccounts have one.
 */
export async function getEnrollment(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  name: string,
): Promise<Enrollment> {
  const { accountId } = principal;
  const [first, second] = await findEnrollments(db, accountId, name);
  if (!first) throw new AppError('not_found', `The domain ${name} is in no dynamic pool.`);
  if (second && first.accountId !== accountId)
    throw invalid('name', 'is a domain of several subaccounts; say which with the header X-Service-Account-Id.');
  return first;
}

/** Throws `not_found`, `invalid_request` and `forbidden`. */
export async function removeDomain(doors: Asker, name: string, given: Given): Promise<void> {
  await admitOwner(doors);
  const enrollment = await getEnrollment(doors, name);
  const domain = { id: enrollment.domainId, accountId: enrollment.accountId };
  const replacement = await readReplacement(doors, domain, given);
  const at = doors.clock.now();
  await changeRoutes(doors, enrollment.ownerId, async (tx) => {
    const held = await holdEnrollment(tx, enrollment);
    if (!held || !(await deleteEnrollment(tx, held)))
      throw new AppError('not_found', `The domain ${name} is in no dynamic pool.`);
    await putReplacement(tx, domain, { replacement, at });
    const reason = `Taken out of the dynamic pools; it sends from ${replacementWords(replacement)}.`;
    await noteMove(tx, enrollment, {
      to: '' as const,
      from: held.band,
      reason,
      rates: held,
      at,
      initiatedBy: initiatedBy(doors),
    });
  });
}

/** Whose domains all are enrolled. Throws `invalid_request` where there are no pools, and `forbidden`. */
export async function askForAll(
  doors: Asker,
  isWithSubaccounts: boolean,
): Promise<{ ownerId: string; accountIds: string[]; initiatedBy: string }> {
  const { db, principal } = doors;
  const ownerId = await admitOwner(doors);
  if ((await findPools(db, ownerId)).size < 3) throw notSetUp('invalid_request');
  const { accountId } = principal;
  const parts = isWithSubaccounts && accountId === ownerId ? await listSubaccountIds(db, ownerId) : [];
  return { ownerId, accountIds: [accountId, ...parts], initiatedBy: initiatedBy(doors) };
}
