// What an account hears of hits: an alert for each domain.
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { raiseAlert } from '../alerts/index.ts';
import { TYPES } from './hits.ts';
import type { SavedHit, TrapType } from './store.ts';

type Doors = Pick<Outside, 'db' | 'jobs' | 'clock'>;

/** An older hit, as an old report tells it, is no news. */
const FRESH_DAYS = 30;
/** Of a report that names more domains, those with the most hits are told. */
const DOMAINS_MAX = 20;

/** What a hit of this type says of a list, and what mends it; the gravest first. */
const FIXES: readonly [type: TrapType, fix: string][] = [
  ['pristine', 'Nobody ever signed such an address up: find out where your list comes from, and buy no addresses.'],
  ['harvested', 'The address was collected from a web page: write to nobody who did not give you the address.'],
  ['recycled', 'The address was given up long ago: take off the list who has not opened or clicked for a year.'],
  ['typo', 'The address was mistyped: let new readers confirm their address before you write to them.'],
];

/** `3 pristine, 1 typo` */
function typesOf(hits: readonly SavedHit[]): string {
  const counts = TYPES.map((type) => ({
    type,
    count: hits.reduce((sum, hit) => sum + (hit.type === type ? hit.hits : 0), 0),
  }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ type, count }) => `${count} ${type}`)
    .join(', ');
}

const sumOf = (hits: readonly SavedHit[]): number => hits.reduce((sum, hit) => sum + hit.hits, 0);

/**
 * Raises the alert of each domain with new hits, in the transaction that keeps them; old ones are no news. Wake the
 * jobs after its commit.
 */
export async function tellHits(
  doors: Doors,
  tx: Sql,
  { accountId, sourceName, hits }: { accountId: string; sourceName: string; hits: readonly SavedHit[] },
): Promise<void> {
  const since = daysAfter(doors.clock.now(), -FRESH_DAYS);
  const byDomain = Map.groupBy(
    hits.filter(({ at }) => at > since),
    ({ domain }) => domain,
  );
  const told = [...byDomain].toSorted((one, other) => sumOf(other[1]) - sumOf(one[1])).slice(0, DOMAINS_MAX);
  for (const [domain, found] of told) {
    const sender = domain === '' ? 'your mail' : `mail of ${domain}`;
    const fix = FIXES.find(([type]) => found.some((hit) => hit.type === type))?.[1];
    await raiseAlert(doors, tx, {
      accountId,
      event: 'spam_trap_hit',
      subject: domain,
      data: {
        message: `Spam traps were hit by ${sender}: ${typesOf(found)}. Told by: ${sourceName}.`,
        ...(fix && { fix }),
        page: '/traps',
        domain,
        hits: sumOf(found),
      },
    });
  }
}
