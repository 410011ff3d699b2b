import { endpoint } from '../../../platform/feature/index.ts';
import { listMembers } from '../sending-ips/index.ts';
import { createPool } from './actions.ts';
import * as contracts from './contract.ts';
import { findDelegated, listLinked, listPools } from './store.ts';

const list = (...given: (string | readonly string[] | undefined)[]): string[] => given.flatMap((one) => one ?? []);

export const endpoints = [
  endpoint(contracts.listPools, async ({ db, principal: { accountId } }) => {
    const delegated = await findDelegated(db, accountId);
    const pools = [...(await listPools(db, accountId)), ...(delegated ? [delegated] : [])];
    const ids = pools.map(({ id }) => id);
    const [members, linked] = [await listMembers(db, ids), await listLinked(db, ids)];
    return {
      ip_pools: pools.map(({ id, name, description, accountId: owner }) => ({
        pool_id: id,
        name,
        description,
        ips: members.get(id) ?? [],
        is_linked: linked.has(id),
        is_inherited: owner !== accountId,
      })),
      message: 'success',
    };
  }),
  endpoint(contracts.createPool, async (ctx, { body }) => {
    const { name, description, ip, ips } = body;
    const pool = await createPool(ctx, ctx.principal.accountId, { name, description, ips: list(ip, ips) });
    return { message: 'success', pool_id: pool.id };
  }),
];
