import type { Blocklist } from '../../../engines/blocklists/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { dailyMaxOf } from './budget.ts';
import { allLists } from './lists.ts';
import type { BlocklistEvent, Listing, Target } from './store.ts';
import type { Health } from './sweep-store.ts';

type Doors = Pick<Outside, 'config'>;

/** What existing clients take for "never". */
const NEVER = '0001-01-01T00:00:00Z';

const rowOf = (doors: Doors, zone: string): Blocklist | undefined => allLists(doors).find((list) => list.zone === zone);

/** What is certain: listings that were seen twice, and have not been gone twice. */
export const isCertain = ({ state }: Pick<Listing, 'state'>): boolean => state !== 'suspected';

export function listedView(doors: Doors, listing: Listing) {
  const { means = '', usedBy = '', remove = '', page = '', reach = 'low' } = rowOf(doors, listing.zone) ?? {};
  return {
    id: String(listing.id),
    list: listing.zone,
    name: listing.listName,
    first_seen: listing.firstSeen.toISOString(),
    last_seen: listing.lastSeen.toISOString(),
    delist_requested_at: listing.delistRequestedAt?.toISOString() ?? NEVER,
    comments: listing.comments,
    codes: listing.codes,
    reason: listing.reason,
    means,
    used_by: usedBy,
    remove,
    page,
    reach: reach as 'high' | 'medium' | 'low',
  };
}

/** The listings of a target that are certain. */
export function listedOf(doors: Doors, listings: readonly Listing[]) {
  return listings.filter(isCertain).map((listing) => listedView(doors, listing));
}

const stateOf = (listed: readonly unknown[]): 'listed' | 'healthy' => (listed.length ? 'listed' : 'healthy');
const updatedAt = ({ checkedAt, createdAt }: Target): string => (checkedAt ?? createdAt).toISOString();

export function domainView(doors: Doors, target: Target, listings: readonly Listing[]) {
  const listed = listedOf(doors, listings);
  return {
    domain: target.name,
    updated_at: updatedAt(target),
    state: stateOf(listed),
    listed: listed.length ? listed : null,
  };
}

export function hblView(doors: Doors, target: Target, listings: readonly Listing[]) {
  const listed = listedOf(doors, listings);
  return {
    account_id: target.accountId,
    domain: target.parent,
    hbl_type: 'email' as const,
    entity: target.name,
    state: stateOf(listed),
    updated_at: updatedAt(target),
    listed: listed.length ? listed : null,
  };
}

export function assetView(doors: Doors, target: Target, listings: readonly Listing[]) {
  const listed = listedOf(doors, listings);
  const { clean = 0, unknown = {}, allowed = {} } = target.result;
  return {
    asset: target.name,
    kind: target.kind,
    domain: target.parent,
    state: target.checkedAt ? stateOf(listed) : ('unchecked' as const),
    checked_at: target.checkedAt?.toISOString() ?? null,
    due_at: target.nextAt.toISOString(),
    clean,
    listed,
    suspected: listings.filter((listing) => !isCertain(listing)).map(({ listName }) => listName),
    allowed,
    unknown,
  };
}

export function domainEventView({ id, at, event, name, accountId, zone, listName, reason }: BlocklistEvent) {
  return {
    id: String(id),
    timestamp: at.toISOString(),
    event: `domain_${event}` as const,
    domain: name,
    account_id: accountId,
    list: zone,
    name: listName,
    reason,
  };
}

export function hblEventView({ id, at, event, name, parent, accountId, zone, listName }: BlocklistEvent) {
  return {
    id: String(id),
    timestamp: at.toISOString(),
    event: `hbl_${event}` as const,
    domain: parent,
    hbl_type: 'email' as const,
    entity: name,
    account_id: accountId,
    list: zone,
    name: listName,
  };
}

export function blocklistView(
  doors: Doors,
  list: Blocklist,
  { tests, day }: { tests: readonly Health[]; day: string },
) {
  return {
    list: list.zone,
    name: list.name,
    operator: list.operator,
    kinds: [...list.kinds],
    purpose: list.purpose,
    status: list.status,
    status_at: list.statusAt,
    status_from: list.statusFrom,
    reach: list.reach,
    used_by: list.usedBy ?? '',
    means: list.means ?? '',
    remove: list.remove ?? '',
    page: list.page ?? '',
    note: list.note ?? '',
    not_asked: list.notAsked ?? null,
    questions_today: tests.reduce((sum, test) => sum + (test.day === day ? test.questions : 0), 0),
    questions_per_day: dailyMaxOf(list, doors),
    tests: tests.flatMap(({ kind, isLive, why, probedAt }) =>
      probedAt ? [{ kind, is_live: isLive, why, tested_at: probedAt.toISOString() }] : [],
    ),
  };
}
