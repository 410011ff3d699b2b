import type { Sql } from '../../../platform/db/index.ts';
import { invalid, notFound } from '../../../platform/errors/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { plainIp } from '../../../platform/network/index.ts';
import { findAccount } from '../../account/accounts/index.ts';
import { findDomain, findDomainById } from '../sending-domains/index.ts';
import { findGiven, getIp, listMembers, putIntoPool } from '../sending-ips/index.ts';
import { replace, type Replacement } from './domain-routes.ts';
import { changeRoutes, freeIps, getPool, getUsablePool, type Doors } from './pools.ts';
import * as store from './store.ts';
import type { IpPool } from './store.ts';

interface PoolChange {
  name?: string | undefined;
  description?: string | undefined;
  add: readonly string[];
  remove: readonly string[];
  link: readonly string[];
  unlink: readonly string[];
}

/** A domain of the account, by its name or its id. Throws `invalid_request`. */
async function domainBy(tx: Sql, accountId: string, { field, given }: { field: string; given: string }) {
  const found = (await findDomain(tx, accountId, given.toLowerCase())) ?? (await findDomainById(tx, accountId, given));
  if (!found) throw invalid(field, `"${given.slice(0, 255)}" is not a domain of this account.`);
  return found;
}

/** Throws when a pool that something sends from would have no address. */
async function keepOne(tx: Sql, { id }: IpPool): Promise<void> {
  if ((await listMembers(tx, [id])).size > 0 || !(await store.listLinked(tx, [id])).has(id)) return;
  throw invalid('ip', 'cannot be taken out: it is the last one of a pool that domains or subaccounts send from.');
}

async function takeOut(
  tx: Sql,
  pool: IpPool,
  { field, given }: { field: string; given: readonly string[] },
): Promise<void> {
  const members = (await listMembers(tx, [pool.id])).get(pool.id) ?? [];
  for (const text of given) {
    const ip = plainIp(text.trim());
    if (ip === undefined || !members.includes(ip)) throw invalid(field, `"${text.slice(0, 64)}" is not in this pool.`);
    await putIntoPool(tx, pool.accountId, { ips: [ip], poolId: null });
  }
}

async function linkAll(
  tx: Sql,
  { pool, accountId, at }: { pool: IpPool; accountId: string; at: Date },
  { link, unlink }: Pick<PoolChange, 'link' | 'unlink'>,
): Promise<void> {
  for (const given of link) {
    const domain = await domainBy(tx, accountId, { field: 'link_domain', given });
    await getUsablePool(tx, accountId, { field: 'link_domain', id: pool.id });
    await store.linkDomain(tx, domain, { poolId: pool.id, at });
  }
  for (const given of unlink) {
    const domain = await domainBy(tx, accountId, { field: 'unlink_domain', given });
    const route = await store.findRoute(tx, { accountId, domain: domain.name });
    if (route?.poolId !== pool.id) throw invalid('unlink_domain', `"${domain.name}" is not linked to this pool.`);
    await store.unlinkDomain(tx, domain);
  }
}

/** Changes a pool: all of it or nothing. Throws `not_found`, `invalid_request` naming the field. */
export async function changePool(
  doors: Doors,
  { accountId, id }: { accountId: string; id: string },
  { name, description, add, remove, link, unlink }: PoolChange,
): Promise<string> {
  const at = doors.clock.now();
  await changeRoutes(doors, accountId, async (tx) => {
    const pool = await getPool(tx, accountId, id);
    const ips = await freeIps(tx, accountId, { field: 'add_ip', given: add, poolId: id });
    await store.dropFromDomains(tx, ips);
    await putIntoPool(tx, accountId, { ips, poolId: id });
    await takeOut(tx, pool, { field: 'remove_ip', given: remove });
    await linkAll(tx, { pool, accountId, at }, { link, unlink });
    await keepOne(tx, pool);
    const { name: oldName, description: oldDescription } = pool;
    await store.savePool(tx, {
      id,
      accountId,
      name: name ?? oldName,
      description: description ?? oldDescription,
      updatedAt: at,
    });
  });
  return newId();
}

/** Throws `not_found`; `invalid_request` when something sends from it, and nothing is named in its place. */
export async function removePool(
  doors: Doors,
  { accountId, id }: { accountId: string; id: string },
  instead: Replacement,
): Promise<string> {
  const at = doors.clock.now();
  await changeRoutes(doors, accountId, async (tx) => {
    const pool = await getPool(tx, accountId, id);
    const domains = await store.listLinkedDomains(tx, id);
    const delegates = await store.listDelegates(tx, id);
    const isNamed = instead.ip !== undefined || instead.pool_id !== undefined;
    if (domains.length + delegates.length > 0 && !isNamed)
      throw invalid(
        'ip',
        `or pool_id is required: ${domains.length} domains and ${delegates.length} subaccounts send from this pool; ` +
          'name what they send from instead.',
      );
    if (instead.pool_id === id) throw invalid('pool_id', 'names the pool that is to be deleted.');
    const other =
      instead.pool_id === undefined
        ? undefined
        : await getUsablePool(tx, accountId, { field: 'pool_id', id: instead.pool_id });
    for (const delegate of delegates) {
      await store.dropDelegation(tx, { accountId: delegate, poolId: id });
      if (other) await store.putDelegation(tx, { accountId: delegate, poolId: other.id, at });
    }
    const members = (await listMembers(tx, [id])).get(id) ?? [];
    await putIntoPool(tx, accountId, { ips: members, poolId: null });
    for (const domain of domains) {
      await store.unlinkDomain(tx, domain);
      // A subaccount has its parent's addresses by a pool only.
      if (domain.accountId === accountId || other) await replace(tx, domain, { ...instead, at });
    }
    await store.deletePool(tx, pool);
  });
  return newId();
}

/** Throws `not_found` for a subaccount that the account has not. */
async function subaccountOf(tx: Sql, accountId: string, id: string): Promise<string> {
  const found = await findAccount(tx, id);
  if (found?.parentId !== accountId) throw notFound('subaccount', id);
  return found.id;
}

/** Throws `not_found`, and `invalid_request` for a pool without addresses. */
export async function delegate(
  doors: Doors,
  accountId: string,
  { poolId, subaccountId, field }: { poolId: string; subaccountId: string; field: string },
): Promise<string> {
  const at = doors.clock.now();
  await changeRoutes(doors, accountId, async (tx) => {
    if (field === 'path') await getPool(tx, accountId, poolId);
    const id = await subaccountOf(tx, accountId, subaccountId);
    await getUsablePool(tx, accountId, { field: field === 'path' ? 'pool_id' : field, id: poolId });
    const before = await store.findDelegated(tx, id);
    if (before && before.id !== poolId) await store.dropDelegation(tx, { accountId: id, poolId: before.id });
    await store.putDelegation(tx, { accountId: id, poolId, at });
  });
  return newId();
}

/** `poolId`: undefined for whichever was delegated. Throws `not_found`, `invalid_request`. */
export async function revoke(
  doors: Doors,
  accountId: string,
  { poolId, subaccountId }: { poolId: string | undefined; subaccountId: string },
): Promise<string> {
  await changeRoutes(doors, accountId, async (tx) => {
    const id = await subaccountOf(tx, accountId, subaccountId);
    const delegated = await store.findDelegated(tx, id);
    if (!delegated || (poolId !== undefined && delegated.id !== poolId))
      throw invalid('pool_id', 'names no pool that is delegated to this subaccount.');
    await store.dropDelegation(tx, { accountId: id, poolId: delegated.id });
  });
  return newId();
}

const BANDS = ['good', 'poor', 'new'];

/** Puts an address into the dynamic pool of a band. Throws `not_found`, `invalid_request` naming the field. */
export async function setBand(
  doors: Doors,
  accountId: string,
  { ip: given, band }: { ip: string; band: string },
): Promise<void> {
  const word = band
    .trim()
    .toLowerCase()
    .replace(/^dynamic_/, '');
  if (!BANDS.includes(word)) throw invalid('ip_band', `must be one of ${BANDS.join(', ')}.`);
  const { ip, poolId, accountId: owner } = await getIp(doors, accountId, given);
  if (owner !== accountId) throw notFound('IP address of this account', given);
  const at = doors.clock.now();
  const name = `dynamic_${word}`;
  await changeRoutes(doors, accountId, async (tx) => {
    const before = poolId === null ? undefined : await store.findPool(tx, accountId, poolId);
    if (before?.kind === 'dedicated') throw invalid('addr', `names an address of the IP pool "${before.name}".`);
    if ((await findGiven(tx, [ip])) !== undefined)
      throw invalid('addr', 'names an address that is given to subaccounts; PATCH /v3/ips/subaccounts takes it back.');
    let pool = await store.findDynamic(tx, accountId, name);
    if (!pool) {
      pool = { id: newId(), accountId, kind: 'dynamic', name, description: '', createdAt: at, updatedAt: at };
      await store.insertPool(tx, pool);
    }
    await store.dropFromDomains(tx, [ip]);
    await putIntoPool(tx, accountId, { ips: [ip], poolId: pool.id });
  });
}
