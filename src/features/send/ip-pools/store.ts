import { changedRows, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'ipPools.kind': 'dedicated' | 'dynamic';
  }
}

export type IpPool = Row<'ipPools'>;

export async function insertPool(tx: Sql, pool: IpPool): Promise<void> {
  await tx.ofAnyone.insertInto('ipPools').values(pool).execute();
}

/** Pools of an account's own, the oldest first. */
export function listPools(db: Sql, accountId: string, kind: IpPool['kind'] = 'dedicated'): Promise<IpPool[]> {
  return db
    .of(accountId)
    .selectFrom('ipPools')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export async function countPools(db: Sql, accountId: string): Promise<number> {
  const { count } = await db.of(accountId).selectFrom('ipPools').select(rowCount.as('count')).executeTakeFirstOrThrow();
  return count;
}

/** The pool of its parent that a subaccount sends from. */
export function findDelegated(db: Sql, accountId: string): Promise<IpPool | undefined> {
  return db.ofAnyone
    .selectFrom('ipPools')
    .innerJoin('ipPoolDelegations', 'ipPoolDelegations.poolId', 'ipPools.id')
    .selectAll('ipPools')
    .where('ipPoolDelegations.accountId', '=', accountId)
    .executeTakeFirst();
}

/** A pool of the account's own, whatever its kind. */
export function findPool(db: Sql, accountId: string, id: string): Promise<IpPool | undefined> {
  return db.of(accountId).selectFrom('ipPools').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function savePool(
  tx: Sql,
  { id, accountId, ...changed }: Pick<IpPool, 'id' | 'accountId' | 'name' | 'description' | 'updatedAt'>,
): Promise<void> {
  await tx.of(accountId).updateTable('ipPools').set(changed).where('id', '=', id).execute();
}

export async function deletePool(tx: Sql, { id, accountId }: Pick<IpPool, 'id' | 'accountId'>): Promise<void> {
  await tx.of(accountId).deleteFrom('ipPools').where('id', '=', id).execute();
}

/** Who sends from pools: domains of any account, and subaccounts. */
export async function listLinked(db: Sql, poolIds: readonly string[]): Promise<Set<string>> {
  const wanted = [...poolIds, ''];
  const links = db.ofAnyone.selectFrom('domainPools').select('poolId').where('poolId', 'in', wanted);
  const found = await links
    .union(db.ofAnyone.selectFrom('ipPoolDelegations').select('poolId').where('poolId', 'in', wanted))
    .execute();
  return new Set(found.map(({ poolId }) => poolId));
}

/** A domain that sends from a pool. */
export interface LinkedDomain {
  id: string;
  name: string;
  accountId: string;
}

const linkedTo = (db: Sql, poolId: string) =>
  db.ofAnyone
    .selectFrom('domainPools')
    .innerJoin('sendingDomains', 'sendingDomains.id', 'domainPools.domainId')
    .select(['sendingDomains.id', 'sendingDomains.name', 'sendingDomains.accountId'])
    .where('domainPools.poolId', '=', poolId)
    .orderBy('sendingDomains.name')
    .orderBy('sendingDomains.id');

/** `accountIds`: those whose domains may be seen. */
export function pageOfLinked(
  db: Sql,
  { poolId, accountIds, ...page }: SkipPage & { poolId: string; accountIds: readonly string[] },
): Promise<Paged<LinkedDomain>> {
  return readSkipPage(linkedTo(db, poolId).where('sendingDomains.accountId', 'in', [...accountIds, '']), page);
}

export function listLinkedDomains(db: Sql, poolId: string): Promise<LinkedDomain[]> {
  return linkedTo(db, poolId).execute();
}

/** What the domains of accounts send from, where that is their own: by the domain's id. */
export interface DomainRoute {
  domainId: string;
  name: string;
  accountId: string;
  poolId: string | null;
  ips: string[];
}

const routes = (db: Sql) =>
  db.ofAnyone
    .selectFrom('sendingDomains')
    .leftJoin('domainPools', 'domainPools.domainId', 'sendingDomains.id')
    .select([
      'sendingDomains.id as domainId',
      'sendingDomains.name',
      'sendingDomains.accountId',
      'domainPools.poolId',
      sql<string[]>`array(
        select domain_ips.ip from domain_ips where domain_ips.domain_id = sending_domains.id order by domain_ips.ip)`.as(
        'ips',
      ),
    ]);

export function findRoute(
  db: Sql,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<DomainRoute | undefined> {
  return routes(db)
    .where('sendingDomains.accountId', '=', accountId)
    .where('sendingDomains.name', '=', domain)
    .executeTakeFirst();
}

/** The domain sends from a pool, and from no address of its own any more. */
export async function linkDomain(
  tx: Sql,
  domain: { id: string; accountId: string },
  { poolId, at }: { poolId: string; at: Date },
): Promise<void> {
  const { id: domainId, accountId } = domain;
  await tx.of(accountId).deleteFrom('domainIps').where('domainId', '=', domainId).execute();
  await tx.ofAnyone
    .insertInto('domainPools')
    .values({ domainId, accountId, poolId, linkedAt: at })
    .onConflict((conflict) => conflict.column('domainId').doUpdateSet({ poolId, linkedAt: at }))
    .execute();
}

/** False: it was linked to none. */
export async function unlinkDomain(tx: Sql, { id, accountId }: { id: string; accountId: string }): Promise<boolean> {
  return (await changedRows(tx.of(accountId).deleteFrom('domainPools').where('domainId', '=', id))) > 0;
}

/** Domains send from these addresses, too. */
export async function addDomainIps(
  tx: Sql,
  domains: readonly { id: string; accountId: string }[],
  { ips, at }: { ips: readonly string[]; at: Date },
): Promise<void> {
  const rows = domains.flatMap(({ id: domainId, accountId }) =>
    ips.map((ip) => ({ domainId, accountId, ip, createdAt: at })),
  );
  if (rows.length === 0) return;
  await tx.ofAnyone
    .insertInto('domainIps')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Takes an address from all domains of an account. Answers their ids. */
export async function takeFromDomains(tx: Sql, accountId: string, ip: string): Promise<string[]> {
  const taken = await tx.of(accountId).deleteFrom('domainIps').where('ip', '=', ip).returning('domainId').execute();
  return taken.map(({ domainId }) => domainId);
}

/** Takes addresses from a domain; all of them when none is named. Answers how many. */
export function takeDomainIps(
  tx: Sql,
  { id, accountId }: { id: string; accountId: string },
  ip?: string,
): Promise<number> {
  return changedRows(
    tx
      .of(accountId)
      .deleteFrom('domainIps')
      .where('domainId', '=', id)
      .$if(ip !== undefined, (all) => all.where('ip', '=', ip as string)),
  );
}

/** Domains of an account that send from an address, by themselves or by its pool. */
export function pageOfRoutes(
  db: Sql,
  accountId: string,
  { ip, poolId, search, ...page }: SkipPage & { ip: string; poolId: string | null; search: string },
): Promise<Paged<DomainRoute>> {
  const matching = routes(db)
    .where('sendingDomains.accountId', '=', accountId)
    .where(sql<boolean>`position(${search.toLowerCase()} in sending_domains.name) > 0`)
    .where(
      sql<boolean>`(domain_pools.pool_id = ${poolId} or exists (
        select 1 from domain_ips where domain_ips.domain_id = sending_domains.id and domain_ips.ip = ${ip}))`,
    );
  return readSkipPage(matching.orderBy('sendingDomains.name').orderBy('sendingDomains.id'), page);
}

/** The domains of an account that are linked to no pool. */
export function listUnlinked(db: Sql, accountId: string): Promise<{ id: string; accountId: string }[]> {
  return db
    .of(accountId)
    .selectFrom('sendingDomains')
    .leftJoin('domainPools', 'domainPools.domainId', 'sendingDomains.id')
    .select(['sendingDomains.id', 'sendingDomains.accountId'])
    .where('domainPools.poolId', 'is', null)
    .execute();
}

export async function putDelegation(
  tx: Sql,
  { accountId, poolId, at }: { accountId: string; poolId: string; at: Date },
): Promise<void> {
  await tx.ofAnyone
    .insertInto('ipPoolDelegations')
    .values({ accountId, poolId, delegatedAt: at })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ poolId, delegatedAt: at }))
    .execute();
}

/** Takes a pool back from a subaccount, and from its domains. False: it was not delegated to it. */
export async function dropDelegation(
  tx: Sql,
  { accountId, poolId }: { accountId: string; poolId: string },
): Promise<boolean> {
  await tx.of(accountId).deleteFrom('domainPools').where('poolId', '=', poolId).execute();
  const dropped = tx.of(accountId).deleteFrom('ipPoolDelegations').where('poolId', '=', poolId);
  return (await changedRows(dropped)) > 0;
}

/** Whom a pool is delegated to. */
export async function listDelegates(db: Sql, poolId: string): Promise<string[]> {
  const found = await db.ofAnyone
    .selectFrom('ipPoolDelegations')
    .select('accountId')
    .where('poolId', '=', poolId)
    .execute();
  return found.map(({ accountId }) => accountId);
}

/** The subaccounts of an account with their pools. */
export function pageOfDelegations(
  db: Sql,
  parentId: string,
  page: SkipPage,
): Promise<Paged<{ subaccountId: string; poolId: string | null }>> {
  const all = db.ofAnyone
    .selectFrom('accounts')
    .leftJoin('ipPoolDelegations', 'ipPoolDelegations.accountId', 'accounts.id')
    .select(['accounts.id as subaccountId', 'ipPoolDelegations.poolId'])
    .where('accounts.parentId', '=', parentId);
  return readSkipPage(all.orderBy('accounts.createdAt').orderBy('accounts.id'), page);
}

/** A dynamic pool of an account, by its name. */
export function findDynamic(db: Sql, accountId: string, name: string): Promise<IpPool | undefined> {
  const pools = db.of(accountId).selectFrom('ipPools').selectAll();
  return pools.where('kind', '=', 'dynamic').where('name', '=', name).executeTakeFirst();
}

/** A shared address, the one that the fewest domains have. */
export async function findShared(db: Sql): Promise<string | undefined> {
  const found = await db.ofAnyone
    .selectFrom('sendingIps')
    .leftJoin('domainIps', 'domainIps.ip', 'sendingIps.ip')
    .select('sendingIps.ip')
    .where('sendingIps.isShared', '=', true)
    .groupBy('sendingIps.ip')
    .orderBy(rowCount)
    .orderBy('sendingIps.ip')
    .limit(1)
    .executeTakeFirst();
  return found?.ip;
}

/** Addresses that go into a pool are no domain's own any more. */
export async function dropFromDomains(tx: Sql, ips: readonly string[]): Promise<void> {
  if (ips.length > 0) await tx.ofAnyone.deleteFrom('domainIps').where('ip', 'in', ips).execute();
}
