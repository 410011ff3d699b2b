import type { AssetKind, Code } from '../../../engines/blocklists/index.ts';
import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import { readPlace, type Place } from '../../../platform/paging/index.ts';

export type Target = Row<'blocklistTargets'>;
export type Listing = Row<'blocklistListings'>;
export type BlocklistEvent = Row<'blocklistEvents'>;

/** What the last sweep found beside listings. */
export interface SweepResult {
  /** Lists that answered that it is clean. */
  clean?: number;
  /** By zone: what the list said in place of an answer, or why it is not believed. */
  unknown?: Record<string, string>;
  /** By zone: what an allow list says. */
  allowed?: Record<string, string>;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'blocklistTargets.kind': AssetKind;
    'blocklistTargets.result': SweepResult;
    'blocklistListings.codes': Code[];
    'blocklistListings.comments': string[];
    'blocklistEvents.kind': AssetKind;
    'blocklistEvents.codes': Code[];
  }
}

/** What is watched, as its account names it. */
export interface Watched {
  kind: AssetKind;
  name: string;
  /** Of an email address: the domain it was added to. */
  parent?: string;
}

/** False when the account watches it already. */
export async function insertTarget(db: Sql, accountId: string, target: Omit<Target, 'accountId'>): Promise<boolean> {
  const inserted = db
    .of(accountId)
    .insert('blocklistTargets', target)
    .onConflict((conflict) => conflict.doNothing());
  return (await changedRows(inserted)) > 0;
}

export async function countTargets(db: Sql, accountId: string): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('blocklistTargets')
    .select(rowCount.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export function findTarget(
  db: Sql,
  accountId: string,
  { kind, name, parent = '' }: Watched,
): Promise<Target | undefined> {
  return db
    .of(accountId)
    .selectFrom('blocklistTargets')
    .selectAll()
    .where('kind', '=', kind)
    .where('parent', '=', parent)
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Its listings go with it; its history stays. */
export async function deleteTarget(db: Sql, accountId: string, { kind, name, parent = '' }: Watched): Promise<boolean> {
  const deleted = db
    .of(accountId)
    .deleteFrom('blocklistTargets')
    .where('kind', '=', kind)
    .where('parent', '=', parent)
    .where('name', '=', name);
  return (await changedRows(deleted)) > 0;
}

/** The email addresses that were added to a domain. */
export async function deleteParts(db: Sql, accountId: string, parent: string): Promise<void> {
  await db.of(accountId).deleteFrom('blocklistTargets').where('parent', '=', parent).execute();
}

interface TargetFilter {
  kinds: readonly AssetKind[];
  parent?: string | undefined;
  name?: string | undefined;
}

function matching(db: Sql, accountIds: readonly string[], { kinds, parent, name }: TargetFilter) {
  return db.ofAnyone
    .selectFrom('blocklistTargets')
    .where('accountId', 'in', accountIds)
    .where('kind', 'in', kinds)
    .$if(parent !== undefined, (all) => all.where('parent', '=', parent!))
    .$if(name !== undefined, (all) => all.where('name', '=', name!));
}

/** By name; at most `limit`. */
export function listTargets(
  db: Sql,
  accountIds: readonly string[],
  { limit, ...filter }: TargetFilter & { limit: number },
): Promise<Target[]> {
  return matching(db, accountIds, filter).selectAll().orderBy('name').orderBy('id').limit(limit).execute();
}

/** A page by ids, in which the order of adding stands. */
export function pageOfTargets(
  db: Sql,
  accountIds: readonly string[],
  { filter, place, limit }: { filter: TargetFilter; place: Place; limit: number },
): Promise<Target[]> {
  return readPlace(
    matching(db, accountIds, filter).selectAll(),
    { columns: ['id'], isAscending: true },
    { ...place, limit },
  );
}

/** Those of these targets, the first seen first. */
export async function listListings(db: Sql, targetIds: readonly string[]): Promise<Listing[]> {
  if (targetIds.length === 0) return [];
  return db.ofAnyone
    .selectFrom('blocklistListings')
    .selectAll()
    .where('targetId', 'in', targetIds)
    .orderBy('firstSeen')
    .orderBy('id')
    .execute();
}

export function saveNotes(
  db: Sql,
  { accountId, id }: Pick<Listing, 'accountId' | 'id'>,
  notes: Partial<Pick<Listing, 'delistRequestedAt' | 'comments'>>,
): Promise<number> {
  return changedRows(db.of(accountId).updateTable('blocklistListings').set(notes).where('id', '=', id));
}

/** Makes targets due now that were not looked at since `before`; answers how many of the account are due. */
export function makeDue(
  db: Sql,
  accountId: string,
  { now, before, name }: { now: Date; before: Date; name?: string | undefined },
): Promise<number> {
  const due = db
    .of(accountId)
    .updateTable('blocklistTargets')
    .set({ dueAt: now, nextAt: now })
    .where(({ or, eb }) => or([eb('checkedAt', 'is', null), eb('checkedAt', '<', before)]))
    .$if(name !== undefined, (all) => all.where('name', '=', name!));
  return changedRows(due);
}

export interface EventFilter {
  kinds: readonly AssetKind[];
  name?: string | undefined;
  zone?: string | undefined;
  event?: BlocklistEvent['event'] | undefined;
  parent?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A page, newest first. */
export function listEvents(
  db: Sql,
  accountIds: readonly string[],
  { filter, place, limit }: { filter: EventFilter; place: Place; limit: number },
): Promise<BlocklistEvent[]> {
  const { kinds, name, zone, event, parent, from, to } = filter;
  const wanted = db.ofAnyone
    .selectFrom('blocklistEvents')
    .selectAll()
    .where('accountId', 'in', accountIds)
    .where('kind', 'in', kinds)
    .$if(name !== undefined, (all) => all.where('name', '=', name!))
    .$if(zone !== undefined, (all) => all.where('zone', '=', zone!))
    .$if(event !== undefined, (all) => all.where('event', '=', event!))
    .$if(parent !== undefined, (all) => all.where('parent', '=', parent!))
    .$if(from !== undefined, (all) => all.where('at', '>=', from!))
    .$if(to !== undefined, (all) => all.where('at', '<', to!));
  return readPlace(wanted, { columns: ['id'], isAscending: false }, { ...place, limit });
}

/** Deletes what is older; answers how many, at most `limit`. */
export function deleteOldEvents(db: Sql, before: Date, limit: number): Promise<number> {
  const old = db.ofAnyone.selectFrom('blocklistEvents').select('id').where('at', '<', before).limit(limit);
  return changedRows(db.ofAnyone.deleteFrom('blocklistEvents').where('id', 'in', old));
}

export function findListing(db: Sql, accountId: string, id: string): Promise<Listing | undefined> {
  return db.of(accountId).selectFrom('blocklistListings').selectAll().where('id', '=', id).executeTakeFirst();
}
