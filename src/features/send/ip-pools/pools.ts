import type { Sql } from '../../../platform/db/index.ts';
import { invalid, notFound } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { admitStored, findAccount } from '../../account/accounts/index.ts';
import { findGiven, findIp, forgetRoutes, listMembers, putIntoPool, type SendingIp } from '../sending-ips/index.ts';
import { plainIp } from '../../../platform/network/index.ts';
import * as store from './store.ts';
import type { IpPool } from './store.ts';

export type Doors = Pick<Outside, 'config' | 'db' | 'clock'>;

/** A pool of the account's own that is not a dynamic one. Throws `not_found`. */
export async function getPool(db: Sql, accountId: string, id: string): Promise<IpPool> {
  const found = await store.findPool(db, accountId, id);
  if (found?.kind !== 'dedicated') throw notFound('IP pool', id);
  return found;
}

/** A pool that an account may see: its own, or the one that was delegated to it. Throws `not_found`. */
export async function getOwnOrDelegated(db: Sql, accountId: string, id: string): Promise<IpPool> {
  const delegated = await store.findDelegated(db, accountId);
  return delegated?.id === id ? delegated : getPool(db, accountId, id);
}

/** Addresses of the account's own that are in no other pool, and that no subaccount has. Throws `invalid_request` naming the field. */
export async function freeIps(
  tx: Sql,
  accountId: string,
  { field, given, poolId }: { field: string; given: readonly string[]; poolId: string },
): Promise<string[]> {
  const found: SendingIp[] = [];
  for (const text of given) {
    const ip = plainIp(text.trim());
    const one = ip === undefined ? undefined : await findIp(tx, accountId, ip);
    const named = `"${text.slice(0, 64)}"`;
    if (one?.accountId !== accountId) throw invalid(field, `${named} is not an address of this account.`);
    if (one.isShared)
      throw invalid(field, `${named} is shared with other accounts; only dedicated ones go into a pool.`);
    if (one.poolId !== null && one.poolId !== poolId)
      throw invalid(field, `${named} is in another pool already; take it out of that one first.`);
    found.push(one);
  }
  const ips = found.map(({ ip }) => ip);
  const taken = await findGiven(tx, ips);
  if (taken !== undefined)
    throw invalid(
      field,
      `"${taken}" is given to subaccounts; PATCH /v3/ips/subaccounts takes it back. An address that is in a pool ` +
        'goes to a subaccount with the pool.',
    );
  return ips;
}

/** A transaction that changes what leaves from where, for an account, its parent or its subaccounts. */
export async function changeRoutes<Result>(
  { db }: Pick<Doors, 'db'>,
  accountId: string,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.tx(async (tx) => {
      // Those who change what leaves from where follow each other. A parent and its subaccounts have addresses and
      // pools in common; nobody else has.
      const familyId = (await findAccount(tx, accountId))?.parentId ?? accountId;
      await tx.lock(`ip pools ${familyId}`);
      return work(tx);
    });
  } finally {
    forgetRoutes(db);
  }
}

/** Throws `invalid_request` naming the field, `too_many_requests` beyond the quota. */
export async function createPool(
  doors: Doors,
  accountId: string,
  given: { name: string; description: string; ips: readonly string[] },
): Promise<IpPool> {
  const { db, clock } = doors;
  await admitStored(doors, accountId, { quota: 'pools', count: () => store.countPools(db, accountId) });
  const at = clock.now();
  const { name, description } = given;
  const pool: IpPool = { id: newId(), accountId, kind: 'dedicated', name, description, createdAt: at, updatedAt: at };
  await changeRoutes(doors, accountId, async (tx) => {
    const ips = await freeIps(tx, accountId, { field: 'ip', given: given.ips, poolId: pool.id });
    await store.insertPool(tx, pool);
    await store.dropFromDomains(tx, ips);
    await putIntoPool(tx, accountId, { ips, poolId: pool.id });
  });
  return pool;
}

/** Whether an account sends from an address by itself, or from a pool with addresses: its own, or one delegated to it. */
export async function maySendFrom(
  db: Sql,
  accountId: string,
  wanted: { ip: string } | { poolId: string },
): Promise<boolean> {
  if ('ip' in wanted && (await findIp(db, accountId, wanted.ip))) return true;
  const delegated = await store.findDelegated(db, accountId);
  if ('ip' in wanted) {
    const members = delegated ? await listMembers(db, [delegated.id]) : undefined;
    return members?.get(delegated!.id)?.includes(wanted.ip) ?? false;
  }
  const isKnown = delegated?.id === wanted.poolId || (await store.findPool(db, accountId, wanted.poolId));
  return Boolean(isKnown) && (await listMembers(db, [wanted.poolId])).size > 0;
}

/**
 * A pool that an account may send from, and that has addresses: its own, or one delegated to it. Throws
 * `invalid_request` naming the field.
 */
export async function getUsablePool(
  tx: Sql,
  accountId: string,
  { field, id }: { field: string; id: string },
): Promise<IpPool> {
  const own = await store.findPool(tx, accountId, id);
  const delegated = await store.findDelegated(tx, accountId);
  const found = own?.kind === 'dedicated' ? own : delegated?.id === id ? delegated : undefined;
  const named = `"${id.slice(0, 64)}"`;
  if (!found) throw invalid(field, `${named} is not an IP pool of this account; GET /v3/ip_pools lists those.`);
  if ((await listMembers(tx, [id])).size === 0) throw invalid(field, `${named} has no addresses; add one first.`);
  return found;
}
