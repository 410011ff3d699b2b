// Right before an attempt: who is on a list is not written to.
import { canonicalAddress } from '../../../engines/mime/index.ts';
import type { Attempt, Carrier, Outcome } from '../deliveries/index.ts';
import { sandboxNameOf } from '../sending-domains/index.ts';
import { ALL } from './entries.ts';
import { listMatching, type Listed } from './match-store.ts';

const ENDS = {
  bounces: { code: 605, reason: 'suppress-bounce', description: 'Not delivering to previously bounced address' },
  unsubscribes: { code: 606, reason: 'suppress-unsubscribe', description: 'Not delivering to unsubscribed address' },
  complaints: {
    code: 607,
    reason: 'suppress-complaint',
    description: 'Not delivering to a user who marked your messages as spam',
  },
} as const;

/** Whether an unsubscribe is about a message with these tags. */
function isAbout(unsubscribed: readonly string[], tags: readonly string[]): boolean {
  const own = new Set(tags.map((tag) => tag.toLowerCase()));
  return unsubscribed.some((tag) => tag === ALL || own.has(tag.toLowerCase()));
}

/** The list that keeps this attempt from being made; the allowlist is stronger than a bounce, and than nothing else. */
function listAgainst(found: readonly Listed[], { message }: Attempt): keyof typeof ENDS | undefined {
  const of = (list: Listed['list']): Listed | undefined => found.find((entry) => entry.list === list);
  if (of('bounces') && !of('whitelists')) return 'bounces';
  if (isAbout(of('unsubscribes')?.tags ?? [], message.tags)) return 'unsubscribes';
  return of('complaints') && 'complaints';
}

/**
 * How deliveries end that are not attempted, one question for the batch. Recipients of the account's sandbox domain
 * answer by their names, whatever list they came on.
 */
export const check: Carrier = async (outside, attempts) => {
  const asked = attempts.flatMap((attempt) => {
    const { accountId, domain, recipient } = attempt.delivery;
    const address = canonicalAddress(recipient);
    if (address === undefined) return [];
    const destination = address.slice(address.lastIndexOf('@') + 1);
    if (destination === sandboxNameOf(outside, accountId)) return [];
    return [{ attempt, wanted: { accountId, domain, address, destination } }];
  });
  const listed = await listMatching(
    outside.db,
    asked.map(({ wanted }) => wanted),
  );
  const byPlace = Map.groupBy(listed, ({ place }) => place);
  const outcomes = new Map<string, Outcome>();
  for (const [place, found] of byPlace) {
    const { attempt } = asked[place] as (typeof asked)[number];
    const list = listAgainst(found, attempt);
    if (list === undefined) continue;
    const { code, reason, description } = ENDS[list];
    outcomes.set(attempt.delivery.id, {
      end: 'failed',
      reason,
      status: { code, message: '', description, ...(list === 'bounces' && { 'bounce-type': 'hard' as const }) },
    });
  }
  return outcomes;
};
