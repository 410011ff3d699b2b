// What domains send from: addresses of their own, or a pool.
import type { Sql } from '../../../platform/db/index.ts';
import { invalid, notFound } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { plainIp } from '../../../platform/network/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { findIp, getIp, listMembers, type SendingIp } from '../sending-ips/index.ts';
import { changeRoutes, getUsablePool, type Doors } from './pools.ts';
import * as store from './store.ts';

type DomainDoors = Doors & Pick<Outside, 'secrets'>;

interface Wanted {
  accountId: string;
  name: string;
}

/** What takes the place of something. */
export interface Replacement {
  ip?: string | undefined;
  pool_id?: string | undefined;
}

/** An address that a domain of the account may have: the account's own in no pool, or a shared one. */
async function ipFor(tx: Sql, accountId: string, { field, given }: { field: string; given: string }): Promise<string> {
  const named = `"${given.slice(0, 64)}"`;
  const ip = plainIp(given.trim());
  const one: SendingIp | undefined = ip === undefined ? undefined : await findIp(tx, accountId, ip);
  if (!one) throw invalid(field, `${named} is not an address that this account sends from; GET /v3/ips lists those.`);
  if (one.poolId !== null) throw invalid(field, `${named} is in an IP pool; link the domain to the pool instead.`);
  return one.ip;
}

/** Lets a domain send from what is named; throws `invalid_request` when both are, or the pool has no address. */
export async function replace(
  tx: Sql,
  domain: { id: string; accountId: string },
  { ip, pool_id: poolId, at }: Replacement & { at: Date },
): Promise<void> {
  if (ip !== undefined && poolId !== undefined) throw invalid('pool_id', 'cannot be given together with ip.');
  const { accountId } = domain;
  if (poolId !== undefined) {
    const pool = await getUsablePool(tx, accountId, { field: 'pool_id', id: poolId });
    await store.linkDomain(tx, domain, { poolId: pool.id, at });
  } else if (ip === 'shared') {
    const shared = await store.findShared(tx);
    if (shared === undefined) throw invalid('ip', 'cannot be shared: no address of this service is shared.');
    await store.addDomainIps(tx, [domain], { ips: [shared], at });
  } else if (ip !== undefined) {
    await store.addDomainIps(tx, [domain], { ips: [await ipFor(tx, accountId, { field: 'ip', given: ip })], at });
  }
}

/** What a domain sends from by itself. Throws `not_found`. */
export async function domainIps(doors: DomainDoors, { accountId, name }: Wanted) {
  const domain = await getDomain(doors, accountId, name);
  const route = await store.findRoute(doors.db, { accountId, domain: domain.name });
  const poolId = route?.poolId ?? null;
  const ips = poolId === null ? (route?.ips ?? []) : ((await listMembers(doors.db, [poolId])).get(poolId) ?? []);
  return { ips, poolId };
}

/** Throws `not_found`, and `invalid_request` naming the field. */
export async function addToDomain(doors: DomainDoors, { accountId, name }: Wanted, given: Replacement): Promise<void> {
  const domain = await getDomain(doors, accountId, name);
  const at = doors.clock.now();
  await changeRoutes(doors, accountId, async (tx) => {
    const route = await store.findRoute(tx, { accountId, domain: domain.name });
    if (given.ip === undefined && given.pool_id === undefined) throw invalid('ip', 'or pool_id is required.');
    if (given.ip !== undefined && route && route.poolId !== null)
      throw invalid('ip', `cannot be added: ${domain.name} is linked to an IP pool; unlink it first.`);
    await replace(tx, domain, { ...given, at });
  });
}

/** `what`: an address, `all` or `ip_pool`. Throws `not_found`, and `invalid_request` naming the field. */
export async function takeFromDomain(
  doors: DomainDoors,
  { accountId, name }: Wanted,
  { what, ...instead }: Replacement & { what: string },
): Promise<void> {
  const domain = await getDomain(doors, accountId, name);
  const at = doors.clock.now();
  await changeRoutes(doors, accountId, async (tx) => {
    const route = await store.findRoute(tx, { accountId, domain: domain.name });
    if (what === 'ip_pool') {
      if (!(await store.unlinkDomain(tx, domain)))
        throw invalid('ip', `names a pool: ${domain.name} is linked to none.`);
    } else {
      if (route && route.poolId !== null)
        throw invalid('ip', `cannot be taken: ${domain.name} is linked to an IP pool; ip_pool unlinks it.`);
      const ip = what === 'all' ? undefined : (plainIp(what) ?? what);
      const count = await store.takeDomainIps(tx, domain, ip);
      if (count === 0 && ip !== undefined) throw notFound('IP address of this domain', what);
    }
    await replace(tx, domain, { ...instead, at });
  });
}

/** All domains of the account send from the address, but those with a pool. Throws `not_found`, `invalid_request`. */
export async function addToAll(doors: Doors, accountId: string, given: string): Promise<void> {
  await getIp(doors, accountId, given);
  const at = doors.clock.now();
  await changeRoutes(doors, accountId, async (tx) => {
    const ip = await ipFor(tx, accountId, { field: 'ip', given });
    await store.addDomainIps(tx, await store.listUnlinked(tx, accountId), { ips: [ip], at });
  });
}

/** Throws `not_found`, `invalid_request`. */
export async function takeFromAll(
  doors: Doors,
  accountId: string,
  { ip: given, alternative }: { ip: string; alternative: string | undefined },
): Promise<void> {
  const { ip } = await getIp(doors, accountId, given);
  const at = doors.clock.now();
  await changeRoutes(doors, accountId, async (tx) => {
    const ids = await store.takeFromDomains(tx, accountId, ip);
    if (alternative === undefined) return;
    const other = await ipFor(tx, accountId, { field: 'alternative', given: alternative });
    await store.addDomainIps(
      tx,
      ids.map((id) => ({ id, accountId })),
      { ips: [other], at },
    );
  });
}

/** Domains of the account that send from an address. Throws `not_found`. */
export async function domainsOf(
  doors: Doors,
  accountId: string,
  { ip: given, ...page }: { ip: string; search: string; limit: number; skip: number },
) {
  const { ip, poolId } = await getIp(doors, accountId, given);
  const { items, total } = await store.pageOfRoutes(doors.db, accountId, { ip, poolId, ...page });
  const members = await listMembers(
    doors.db,
    items.flatMap((one) => one.poolId ?? []),
  );
  return {
    items: items.map((one) => ({
      domain: one.name,
      ips: one.poolId === null ? one.ips : (members.get(one.poolId) ?? []),
    })),
    total_count: total,
  };
}
