import { readEmail } from '../../../engines/blocklists/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { pivotPaging, type PivotPage, type Place } from '../../../platform/paging/index.ts';
import { DAY_MS } from '../../../platform/times/index.ts';
import { listSubaccountIds } from '../../account/accounts/index.ts';
import { sweeping } from './names.ts';
import { resolverOf } from './resolver.ts';
import * as store from './store.ts';
import { listHealth } from './sweep-store.ts';
import { admitWatched, getDomainTarget, unwatch, watch } from './watch.ts';
import { allLists } from './lists.ts';
import { blocklistView, isCertain, listedView } from './views.ts';
import { dayOf } from './budget.ts';

const HBLS_MAX = 10;
const COMMENTS_MAX = 50;
const CHECKED_AGAIN_MS = 60_000;

type Reading = Pick<Context, 'db' | 'principal' | 'config' | 'baseUrl'>;

/** The account itself, with its subaccounts where they are wanted. */
export async function accountsOf(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  include: boolean,
): Promise<string[]> {
  const { accountId } = principal;
  return include ? [accountId, ...(await listSubaccountIds(db, accountId))] : [accountId];
}

/** Where a page by ids begins. Throws `invalid_request`. */
function placeOf(name: string, { page, pivot }: PivotPage, isNumber: boolean): Place {
  if (page === 'first' || page === 'last') return { page };
  if (!pivot || (isNumber && !/^\d{1,18}$/.test(pivot)))
    throw invalid(name, 'is required where page is next or previous; take the address from the page before.');
  return { page, at: [pivot] };
}

/** A page of events, and the addresses around it. */
export async function pageOfEvents(
  ctx: Reading,
  accountIds: readonly string[],
  {
    filter,
    page,
    path,
    conditions,
  }: { filter: store.EventFilter; page: PivotPage; path: string; conditions?: Record<string, unknown> },
) {
  const place = placeOf('event_id', page, true);
  const events = await store.listEvents(ctx.db, accountIds, { filter, place, limit: page.limit });
  const shown = events.map(({ id }) => String(id));
  const paging = pivotPaging(ctx.baseUrl + path, { name: 'event_id', page, shown, ...(conditions && { conditions }) });
  return { events, paging };
}

/** A page of what is watched, each with its listings. */
export async function pageOfWatched(
  ctx: Reading,
  accountIds: readonly string[],
  {
    filter,
    page,
    path,
    name,
    conditions,
  }: {
    filter: Parameters<typeof store.pageOfTargets>[2]['filter'];
    page: PivotPage;
    path: string;
    name: string;
    conditions?: Record<string, unknown>;
  },
) {
  const place = placeOf(name, page, false);
  const targets = await store.pageOfTargets(ctx.db, accountIds, { filter, place, limit: page.limit });
  const shown = targets.map(({ id }) => id);
  const paging = pivotPaging(ctx.baseUrl + path, { name, page, shown, ...(conditions && { conditions }) });
  return { items: await withListings(ctx, targets), paging };
}

export async function withListings(ctx: Pick<Outside, 'db'>, targets: readonly store.Target[]) {
  const ids = targets.map(({ id }) => id);
  const listings = Map.groupBy(await store.listListings(ctx.db, ids), ({ targetId }) => targetId);
  return targets.map((target) => ({ target, listings: listings.get(target.id) ?? [] }));
}

/** The catalog, with how each list fares from here. */
export async function showCatalog(doors: Pick<Outside, 'db' | 'config' | 'clock'>) {
  const tests = Map.groupBy(await listHealth(doors.db), ({ zone }) => zone);
  const day = dayOf(doors.clock.now());
  return {
    resolver: resolverOf(doors),
    items: allLists(doors).map((list) => blocklistView(doors, list, { tests: tests.get(list.zone) ?? [], day })),
  };
}

/** Queues a sweep of what was not looked at within the last minute. */
export async function checkNow(
  { db, jobs, clock }: Pick<Outside, 'db' | 'jobs' | 'clock'>,
  accountId: string,
  asset: string | undefined,
) {
  const now = clock.now();
  const name = asset?.trim().toLowerCase();
  const queued = await db.tx(async (tx) => {
    const due = await store.makeDue(tx, accountId, { now, before: new Date(now.getTime() - CHECKED_AGAIN_MS), name });
    if (due > 0) await jobs.enqueue(tx, sweeping, { payloads: [{}], account: accountId });
    return due;
  });
  jobs.wake();
  const message =
    queued > 0
      ? `The lists are asked about ${queued} ${queued === 1 ? 'asset' : 'assets'} now.`
      : 'Nothing to ask: all was looked at within the last minute, or nothing of this name is watched.';
  return { message, queued };
}

/** Notes on a listing. Throws `not_found`, or `invalid_request` when there are too many comments. */
export async function noteListing(
  doors: Pick<Outside, 'db' | 'clock' | 'config'>,
  accountId: string,
  { id, requested, comment }: { id: string; requested: boolean | undefined; comment: string | undefined },
) {
  const listing = await store.findListing(doors.db, accountId, id);
  if (!listing || !isCertain(listing)) throw new AppError('not_found', 'There is no such listing; it may be over.');
  if (comment !== undefined && listing.comments.length >= COMMENTS_MAX)
    throw invalid(
      'comment',
      `cannot be added: the listing has ${COMMENTS_MAX} comments, which is as many as are kept.`,
    );
  const notes = {
    ...(requested !== undefined && { delistRequestedAt: requested ? doors.clock.now() : null }),
    ...(comment !== undefined && { comments: [...listing.comments, comment] }),
  };
  if (Object.keys(notes).length > 0) await store.saveNotes(doors.db, listing, notes);
  return listedView(doors, { ...listing, ...notes });
}

interface Hbl {
  domain: string;
  entity: string;
}

function readEntity(entity: string): string {
  const name = readEmail(entity);
  if (name === undefined) throw invalid('entity', 'must be an email address, such as news@example.com.');
  return name;
}

/** Watches an email address. Throws `not_found` for the domain, `invalid_request`, `too_many_requests`. */
export async function addHbl(
  doors: Pick<Outside, 'db' | 'config' | 'clock' | 'jobs'>,
  accountId: string,
  { domain, entity }: Hbl,
): Promise<{ entity: string }> {
  const name = readEntity(entity);
  const { name: parent } = await getDomainTarget(doors.db, accountId, domain);
  const known = await store.listTargets(doors.db, [accountId], { kinds: ['email'], parent, limit: HBLS_MAX });
  if (known.some((target) => target.name === name)) return { entity: name };
  if (known.length >= HBLS_MAX)
    throw invalid(
      'entity',
      `cannot be added: ${parent} has ${HBLS_MAX} email addresses, which is as many as are watched.`,
    );
  await admitWatched(doors, accountId);
  await doors.db.tx((tx) => watch(doors, tx, { accountId, kind: 'email', name, parent }));
  doors.jobs.wake();
  return { entity: name };
}

/** Throws `not_found`. */
export async function deleteHbl(doors: Pick<Outside, 'db'>, accountId: string, { domain, entity }: Hbl): Promise<null> {
  const name = readEntity(entity);
  if (!(await unwatch(doors, accountId, { kind: 'email', name, parent: domain.trim().toLowerCase() })))
    throw new AppError('not_found', `${name} is not watched for this domain.`);
  return null;
}

/** Whole days, UTC; the last seven where none are given. Throws `invalid_request`. */
export function readDays(now: Date, { start, end }: { start?: string | undefined; end?: string | undefined }) {
  const read = (field: string, given: string | undefined): Date | undefined => {
    if (given === undefined) return undefined;
    const day = new Date(`${given}T00:00:00Z`);
    if (!/^\d{4}-\d{2}-\d{2}$/.test(given) || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== given)
      throw invalid(field, `"${given}" is not a day; give it as YYYY-MM-DD.`);
    return day;
  };
  const [first, last] = [read('start', start), read('end', end)];
  const to = last ? new Date(last.getTime() + DAY_MS) : undefined;
  const from = first ?? new Date((to ?? now).getTime() - 7 * DAY_MS);
  if (to && from >= to) throw invalid('start', 'must not be after end.');
  return { from, ...(to && { to }) };
}
