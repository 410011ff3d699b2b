import { healthOf, NO_COUNTS, sentOf, type Counts } from '../../../engines/sending-health/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { readRange } from '../../../platform/times/index.ts';
import { listSubaccountIds } from '../../account/accounts/index.ts';
import { countInboxes } from '../../placement/inbox-placement/index.ts';
import { sendingRates, type RateDimension } from '../_rates/index.ts';
import { countHits, isWatched, type HitDimension } from '../spam-traps/index.ts';
import type { Group, ScoredGroup } from './groups.ts';

type Doors = Pick<Context, 'clock' | 'db' | 'events' | 'principal'>;

const DAYS = 30;
const DAYS_MAX = 92;

interface Scope {
  include_subaccounts: boolean;
  start?: string | undefined;
  end?: string | undefined;
}

interface Window {
  accountIds: string[];
  from: Date;
  to: Date;
}

/** Whose events, and when. Throws `invalid_request`. */
async function windowOf({ clock, db, principal }: Doors, scope: Scope): Promise<Window> {
  const range = readRange(scope, { now: clock.now(), days: DAYS, daysMax: DAYS_MAX });
  const own = [principal.accountId];
  const parts = scope.include_subaccounts ? await listSubaccountIds(db, principal.accountId) : [];
  return { accountIds: [...own, ...parts], ...range };
}

const DIMENSIONS: Readonly<Record<Group, RateDimension & HitDimension>> = {
  domain: 'domain',
  ip: 'ip',
  subaccount: 'subaccount',
  timestamp: 'day',
};
/** Hits by key; undefined: nothing watches for any. */
async function hitsBy({ db }: Doors, window: Window, by: HitDimension) {
  if (!(await isWatched(db, window.accountIds))) return undefined;
  const { counts, isBound } = await countHits(db, window, { by });
  const hits = new Map<string, number>();
  for (const { key, hits: count } of counts) hits.set(key, (hits.get(key) ?? 0) + count);
  return { of: (key: string): number => hits.get(key) ?? 0, isBound };
}

/** The score of all that was sent, and where tests of it landed. Throws `invalid_request`. */
export async function totalHealth(doors: Doors, scope: Scope) {
  const window = await windowOf(doors, scope);
  const { rows, isBound } = await sendingRates(doors, { ...window, by: [] });
  const counts: Counts = rows[0]?.counts ?? NO_COUNTS;
  const hits = await hitsBy(doors, window, 'none');
  const health = healthOf({ counts, trapHits: hits?.of('') ?? null });
  const placement = await countInboxes(doors, window);
  return { health, placement, delivered: counts.delivered, window, isBound: isBound || hits?.isBound === true };
}

/** The scores of groups that sent more than so many, one of which was delivered. Throws `invalid_request`. */
export async function groupedHealth(
  doors: Doors,
  { group, minimumSent, ...scope }: Scope & { group: Group; minimumSent: number },
): Promise<{ groups: ScoredGroup[]; isBound: boolean }> {
  const window = await windowOf(doors, scope);
  const by = DIMENSIONS[group];
  const { rows, isBound } = await sendingRates(doors, { ...window, by: [by] });
  const hits = await hitsBy(doors, window, by);
  const groups = rows.flatMap(({ group: found, counts }): ScoredGroup[] => {
    const key = found[by] ?? '';
    if (key === '' || counts.delivered === 0 || sentOf(counts) <= minimumSent) return [];
    const health = healthOf({ counts, trapHits: hits?.of(key) ?? null });
    return [{ ...health, key, delivered: counts.delivered, ...(group === 'subaccount' && { accountId: key }) }];
  });
  return { groups, isBound: isBound || hits?.isBound === true };
}
