// Domains that were never verified are looked for in DNS by themselves: often at first, then ever more rarely.
import { DAY_MS } from '../../../platform/times/index.ts';
import { lookUp, saveKeyChecks, tellChanges, type CheckDoors } from './checks.ts';
import { domainChecked } from './facts.ts';
import { changeCheckAt, findDomain, findOwner, saveVerification, takeName, type SendingDomain } from './store.ts';

const MINUTE_MS = 60_000;
/** How old a domain is, and how often it is looked for. */
const PACE = [
  { untilMs: 15 * MINUTE_MS, everyMs: MINUTE_MS },
  { untilMs: 60 * MINUTE_MS, everyMs: 5 * MINUTE_MS },
  { untilMs: DAY_MS, everyMs: 30 * MINUTE_MS },
  { untilMs: 14 * DAY_MS, everyMs: 6 * 60 * MINUTE_MS },
];

/** When a domain of this age is looked for next; null: by itself no more. */
export function nextCheckOf(createdAt: Date, now: Date): Date | null {
  const ageMs = now.getTime() - createdAt.getTime();
  const pace = PACE.find(({ untilMs }) => ageMs < untilMs);
  return pace ? new Date(now.getTime() + pace.everyMs) : null;
}

const isNew = ({ state, verifiedAt, type }: SendingDomain): boolean =>
  type === 'custom' && state === 'unverified' && verifiedAt === null;

/**
 * Looks once. A domain becomes active by it unless another account has the name: from that one only somebody who asks
 * takes it. Safe to run twice.
 */
export async function checkNew(outside: CheckDoors, accountId: string, name: string): Promise<void> {
  const { db, clock, facts, jobs } = outside;
  const now = clock.now();
  const domain = await findDomain(db, accountId, name);
  if (!domain?.checkAt || domain.checkAt > now) return;
  if (!isNew(domain)) return changeCheckAt(db, domain, null);
  const { checks, keyChecks, state } = await lookUp(outside, domain, { isMeant: true });
  await db.tx(async (tx) => {
    const isFree = state === 'active' && (await findOwner(tx, name)) === undefined;
    if (isFree) await takeName(tx, domain, now);
    await saveKeyChecks(tx, accountId, keyChecks);
    const saved = await saveVerification(tx, domain, { state: isFree ? 'active' : null, checks, at: now });
    if (!saved) return;
    await changeCheckAt(tx, domain, isNew(saved) ? nextCheckOf(domain.createdAt, now) : null);
    if (saved.state === 'active')
      await facts.tell(tx, domainChecked, {
        account: accountId,
        payload: { accountId, domain: name, state: 'active' },
      });
    await tellChanges(outside, tx, { accountId, name, before: domain.checks, after: checks });
  });
  jobs.wake();
}
