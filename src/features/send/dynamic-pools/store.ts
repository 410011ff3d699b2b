// Domains in dynamic pools: their bands, and what the last check found.
import { changedRows, rowCount, sql, type NewRow, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { Band } from '../../../engines/reputation-bands/index.ts';

type Enrolled = Row<'dynamicPoolDomains'>;

/** With what the domain is called, and its account. */
export interface Enrollment extends Enrolled {
  name: string;
  accountName: string;
}

const withNames = (db: Sql) =>
  db.ofAnyone
    .selectFrom('dynamicPoolDomains')
    .innerJoin('sendingDomains', 'sendingDomains.id', 'dynamicPoolDomains.domainId')
    .innerJoin('accounts', 'accounts.id', 'dynamicPoolDomains.accountId')
    .selectAll('dynamicPoolDomains')
    .select(['sendingDomains.name', 'accounts.name as accountName']);

/** False: the domain is in a dynamic pool already. */
export async function insertEnrollment(tx: Sql, { accountId, ...row }: NewRow<'dynamicPoolDomains'>): Promise<boolean> {
  const inserted = tx
    .of(accountId)
    .insert('dynamicPoolDomains', row)
    .onConflict((conflict) => conflict.doNothing());
  return (await changedRows(inserted)) > 0;
}

export async function deleteEnrollment(tx: Sql, { accountId, domainId }: Enrolled): Promise<boolean> {
  const gone = tx.of(accountId).deleteFrom('dynamicPoolDomains').where('domainId', '=', domainId);
  return (await changedRows(gone)) > 0;
}

/**
 * Domains of a name that an account has to do with: its own, or those of its subaccounts in its pools. Several, when
 * subaccounts have the same name.
 */
export function findEnrollments(db: Sql, accountId: string, name: string): Promise<Enrollment[]> {
  return withNames(db)
    .where('sendingDomains.name', '=', name.toLowerCase())
    .where((row) =>
      row.or([row('dynamicPoolDomains.accountId', '=', accountId), row('dynamicPoolDomains.ownerId', '=', accountId)]),
    )
    .orderBy((row) => row('dynamicPoolDomains.accountId', '=', accountId), 'desc')
    .orderBy('dynamicPoolDomains.domainId')
    .limit(2)
    .execute();
}

/** Holds the row until the transaction ends. Undefined: the domain is in no dynamic pool any more. */
export function holdEnrollment(
  tx: Sql,
  { accountId, domainId }: Pick<Enrolled, 'accountId' | 'domainId'>,
): Promise<Enrolled | undefined> {
  const held = tx.of(accountId).selectFrom('dynamicPoolDomains').selectAll().where('domainId', '=', domainId);
  return held.forUpdate().executeTakeFirst();
}

/** The pool that a domain sends from; undefined: it is in no dynamic pool. */
export async function findPoolOf(
  db: Sql,
  { accountId, name }: { accountId: string; name: string },
): Promise<string | undefined> {
  const found = await db.ofAnyone
    .selectFrom('dynamicPoolDomains')
    .innerJoin('sendingDomains', 'sendingDomains.id', 'dynamicPoolDomains.domainId')
    .innerJoin('ipPools', (join) =>
      join
        .onRef('ipPools.accountId', '=', 'dynamicPoolDomains.ownerId')
        .on('ipPools.kind', '=', 'dynamic')
        .on('ipPools.name', '=', sql<string>`'dynamic_' || dynamic_pool_domains.band`),
    )
    .select('ipPools.id')
    .where('dynamicPoolDomains.accountId', '=', accountId)
    .where('sendingDomains.name', '=', name)
    .executeTakeFirst();
  return found?.id;
}

export async function saveEnrollment(
  tx: Sql,
  { accountId, domainId }: Pick<Enrolled, 'accountId' | 'domainId'>,
  change: Partial<Omit<Enrolled, 'accountId' | 'domainId' | 'ownerId'>>,
): Promise<void> {
  await tx.of(accountId).updateTable('dynamicPoolDomains').set(change).where('domainId', '=', domainId).execute();
}

/** Domains in the pools of an account. */
export async function countEnrolled(db: Sql, ownerId: string): Promise<number> {
  const counted = db.ofAnyone.selectFrom('dynamicPoolDomains').select(rowCount.as('count'));
  return (await counted.where('ownerId', '=', ownerId).executeTakeFirstOrThrow()).count;
}

interface DomainFilter extends SkipPage {
  account: string | undefined;
  band: Band | undefined;
  sortBy: 'bounce_rate' | 'complaint_rate' | 'name';
  isAscending: boolean;
}

const SORTS = {
  bounce_rate: 'dynamicPoolDomains.bounceRate',
  complaint_rate: 'dynamicPoolDomains.complaintRate',
  name: 'sendingDomains.name',
} as const;

/** Those of an account, and of its subaccounts. */
export function listEnrolled(
  db: Sql,
  accountId: string,
  { account, band, sortBy, isAscending, ...page }: DomainFilter,
): Promise<Paged<Enrollment>> {
  const ordered = withNames(db)
    .where((row) =>
      row.or([row('dynamicPoolDomains.accountId', '=', accountId), row('dynamicPoolDomains.ownerId', '=', accountId)]),
    )
    .$if(account !== undefined, (all) => all.where('dynamicPoolDomains.accountId', '=', account!))
    .$if(band !== undefined, (all) => all.where('dynamicPoolDomains.band', '=', band!))
    .orderBy(SORTS[sortBy], (by) => (isAscending ? by.asc() : by.desc()).nullsLast())
    .orderBy('sendingDomains.name')
    .orderBy('dynamicPoolDomains.domainId');
  return readSkipPage(ordered, page);
}

/** Whose domains are to be checked, those who waited longest first. */
export async function listDueOwners(db: Sql, now: Date, limit: number): Promise<string[]> {
  const rows = await db.ofAnyone
    .selectFrom('dynamicPoolDomains')
    .select('ownerId')
    .where('dueAt', '<=', now)
    .groupBy('ownerId')
    .orderBy((row) => row.fn.min('dueAt'))
    .limit(limit)
    .execute();
  return rows.map(({ ownerId }) => ownerId);
}

/** Takes domains to check; nobody else gets them before `until`. */
export async function takeDue(
  db: Sql,
  ownerId: string,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<Enrollment[]> {
  const taken = await db.ofAnyone
    .updateTable('dynamicPoolDomains')
    .set({ dueAt: until })
    .where('domainId', 'in', (due) =>
      due
        .selectFrom('dynamicPoolDomains')
        .select('domainId')
        .where('ownerId', '=', ownerId)
        .where('dueAt', '<=', now)
        .orderBy('dueAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('domainId')
    .execute();
  if (taken.length === 0) return [];
  const ids = taken.map(({ domainId }) => domainId);
  return withNames(db).where('dynamicPoolDomains.domainId', 'in', ids).execute();
}

export type Assignable = Pick<Row<'sendingDomains'>, 'accountId' | 'id' | 'name'>;

/** Domains of accounts that are in no dynamic pool; sandboxes aside, from which nothing leaves. */
export function listAssignable(
  db: Sql,
  accountIds: readonly string[],
  { limit, after = '' }: { limit: number; after?: string },
): Promise<Assignable[]> {
  return db.ofAnyone
    .selectFrom('sendingDomains')
    .leftJoin('dynamicPoolDomains', 'dynamicPoolDomains.domainId', 'sendingDomains.id')
    .select(['sendingDomains.accountId', 'sendingDomains.id', 'sendingDomains.name'])
    .where('sendingDomains.accountId', 'in', [...accountIds])
    .where('sendingDomains.type', '=', 'custom')
    .where('dynamicPoolDomains.domainId', 'is', null)
    .where(sql<boolean>`(sending_domains.name || ' ' || sending_domains.id) > ${after}`)
    .orderBy('sendingDomains.name')
    .orderBy('sendingDomains.id')
    .limit(limit)
    .execute();
}
