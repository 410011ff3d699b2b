import { invalid } from '../../../platform/errors/index.ts';
import { endpoint, type Context, type Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { skipPaging } from '../../../platform/paging/index.ts';
import { listSubaccountIds } from '../../account/accounts/index.ts';
import { listMembers } from '../sending-ips/index.ts';
import { changePool, delegate, removePool, revoke, setBand } from './actions.ts';
import * as contracts from './contract.ts';
import { addToAll, addToDomain, domainIps, domainsOf, takeFromAll, takeFromDomain } from './domain-routes.ts';
import { createPool, getOwnOrDelegated, getPool, type Doors } from './pools.ts';
import { subaccountEndpoints } from './subaccount-routes.ts';
import * as store from './store.ts';
import type { IpPool } from './store.ts';

const LINKED_SHOWN = 100;

const list = (...given: (string | readonly string[] | undefined)[]): string[] => given.flatMap((one) => one ?? []);

/** The id of a change is for whoever asks what became of it: the log has it. */
function started({ log, principal }: Pick<Context, 'log' | 'principal'>, { operationId }: Operation, id: string) {
  log.info({ referenceId: id, account: principal.accountId, change: operationId }, 'what mail leaves from was changed');
  return { message: 'started', reference_id: id };
}

interface Operation {
  operationId: string;
}

const SUCCESS = { message: 'success' };

async function viewsOf({ db }: Pick<Outside, 'db'>, pools: readonly IpPool[], accountId: string) {
  const ids = pools.map(({ id }) => id);
  const [members, linked] = [await listMembers(db, ids), await store.listLinked(db, ids)];
  return pools.map(({ id, name, description, accountId: owner }) => ({
    pool_id: id,
    name,
    description,
    ips: members.get(id) ?? [],
    is_linked: linked.has(id),
    is_inherited: owner !== accountId,
  }));
}

async function changeMembers(
  ctx: Doors & Pick<Context, 'log' | 'principal'>,
  { id, operation }: { id: string; operation: Operation },
  { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] },
) {
  const change = { add, remove, link: [], unlink: [] };
  return started(ctx, operation, await changePool(ctx, { accountId: ctx.principal.accountId, id }, change));
}

const pools = [
  endpoint(contracts.listPools, async (ctx) => {
    const { accountId } = ctx.principal;
    const delegated = await store.findDelegated(ctx.db, accountId);
    const all = [...(await store.listPools(ctx.db, accountId)), ...(delegated ? [delegated] : [])];
    return { ip_pools: await viewsOf(ctx, all, accountId), ...SUCCESS };
  }),
  endpoint(contracts.createPool, async (ctx, { body }) => {
    const { name, description, ip, ips } = body;
    const pool = await createPool(ctx, ctx.principal.accountId, { name, description, ips: list(ip, ips) });
    return { ...SUCCESS, pool_id: pool.id };
  }),
  endpoint(contracts.getPool, async (ctx, { params }) => {
    const { accountId } = ctx.principal;
    const pool = await getOwnOrDelegated(ctx.db, accountId, params.pool_id);
    const [view] = await viewsOf(ctx, [pool], accountId);
    const page = { poolId: pool.id, accountIds: [accountId], limit: LINKED_SHOWN, skip: 0 };
    const { items } = await store.pageOfLinked(ctx.db, page);
    return { details: { ...view!, linked_domains: items.map(({ id, name }) => ({ id, name })) }, ...SUCCESS };
  }),
  endpoint(contracts.patchPool, async (ctx, { params, body }) =>
    started(
      ctx,
      contracts.patchPool,
      await changePool(
        ctx,
        { accountId: ctx.principal.accountId, id: params.pool_id },
        {
          name: body.name,
          description: body.description,
          add: list(body.add_ip),
          remove: list(body.remove_ip),
          link: list(body.link_domain),
          unlink: list(body.unlink_domain),
        },
      ),
    ),
  ),
  endpoint(contracts.deletePool, async (ctx, { params, query, body }) =>
    started(
      ctx,
      contracts.deletePool,
      await removePool(ctx, { accountId: ctx.principal.accountId, id: params.pool_id }, { ...body, ...query }),
    ),
  ),
  endpoint(contracts.listDomains, async (ctx, { params, query }) => {
    const { accountId } = ctx.principal;
    const { id: poolId } = await getOwnOrDelegated(ctx.db, accountId, params.pool_id);
    const { limit, page } = query;
    if (page !== undefined && !/^\d{1,9}$/.test(page)) throw invalid('page', 'must be a number, as paging names it.');
    const skip = page === undefined ? query.skip : Number(page);
    const accountIds = [accountId, ...(await listSubaccountIds(ctx.db, accountId))];
    const { items } = await store.pageOfLinked(ctx.db, { poolId, accountIds, limit, skip });
    // The end of the list is a page without domains, never a missing address.
    const url = `${ctx.baseUrl}/v3/ip_pools/${poolId}/domains`;
    const { first, next = first } = skipPaging(url, { limit, skip }, skip + limit + 1);
    return { domains: items.map(({ id, name }) => ({ id, name })), paging: { first, next } };
  }),
  endpoint(contracts.addIp, async (ctx, { params }) =>
    changeMembers(ctx, { id: params.pool_id, operation: contracts.addIp }, { add: [params.ip] }),
  ),
  endpoint(contracts.removeIp, async (ctx, { params }) =>
    changeMembers(ctx, { id: params.pool_id, operation: contracts.removeIp }, { remove: [params.ip] }),
  ),
  endpoint(contracts.addIps, async (ctx, { params, body }) =>
    changeMembers(ctx, { id: params.pool_id, operation: contracts.addIps }, { add: body.ips }),
  ),
];

/** The names of a query or a body; one is needed. */
function named(field: string, ...given: (string | undefined)[]): string {
  const found = given.find((one) => one !== undefined && one !== '');
  if (found === undefined) throw invalid(field, 'is required.');
  return found;
}

const delegations = [
  endpoint(contracts.delegatePool, async (ctx, { params, body }) => {
    const wanted = { poolId: params.pool_id, subaccountId: body.subaccount_id, field: 'path' };
    return started(ctx, contracts.delegatePool, await delegate(ctx, ctx.principal.accountId, wanted));
  }),
  endpoint(contracts.revokePool, async (ctx, { params, query, body }) => {
    const subaccountId = named('subaccount_id', body.subaccount_id, query.subaccount_id);
    await getPool(ctx.db, ctx.principal.accountId, params.pool_id);
    return started(
      ctx,
      contracts.revokePool,
      await revoke(ctx, ctx.principal.accountId, { poolId: params.pool_id, subaccountId }),
    );
  }),
  endpoint(contracts.listDelegations, async (ctx, { query }) => {
    const { items, total } = await store.pageOfDelegations(ctx.db, ctx.principal.accountId, query);
    return {
      items: items.map(({ subaccountId, poolId }) => ({ subaccount_id: subaccountId, pool_id: poolId })),
      total_count: total,
    };
  }),
  endpoint(contracts.putSubaccountPool, async (ctx, { params, query, body }) => {
    const poolId = named('pool_id', body.pool_id, query.pool_id);
    const wanted = { poolId, subaccountId: params.subaccount_id, field: 'pool_id' };
    return started(ctx, contracts.putSubaccountPool, await delegate(ctx, ctx.principal.accountId, wanted));
  }),
  endpoint(contracts.deleteSubaccountPool, async (ctx, { params, query }) => {
    const wanted = { poolId: query.pool_id, subaccountId: params.subaccount_id };
    return started(ctx, contracts.deleteSubaccountPool, await revoke(ctx, ctx.principal.accountId, wanted));
  }),
];

const domains = [
  endpoint(contracts.listDomainIps, async (ctx, { params }) => {
    const { ips, poolId } = await domainIps(ctx, { accountId: ctx.principal.accountId, name: params.name });
    return { items: ips, total_count: ips.length, pool_id: poolId };
  }),
  endpoint(contracts.postDomainIps, async (ctx, { params, body }) => {
    await addToDomain(ctx, { accountId: ctx.principal.accountId, name: params.name }, body);
    return SUCCESS;
  }),
  ...[contracts.deleteDomainIp, contracts.deleteDomainPoolIp].map((operation) =>
    endpoint(operation, async (ctx, { params: { name, ip: what }, query }) => {
      await takeFromDomain(ctx, { accountId: ctx.principal.accountId, name }, { what, ...query });
      return SUCCESS;
    }),
  ),
  endpoint(contracts.listIpDomains, async (ctx, { params, query }) =>
    domainsOf(ctx, ctx.principal.accountId, { ip: params.ip, ...query }),
  ),
  endpoint(contracts.postIpDomains, async (ctx, { params }) => {
    await addToAll(ctx, ctx.principal.accountId, params.ip);
    return started(ctx, contracts.postIpDomains, newId());
  }),
  endpoint(contracts.deleteIpDomains, async (ctx, { params, query: { alternative } }) => {
    await takeFromAll(ctx, ctx.principal.accountId, { ip: params.ip, alternative });
    return started(ctx, contracts.deleteIpDomains, newId());
  }),
  endpoint(contracts.postBand, async (ctx, { params, body }) => {
    await setBand(ctx, ctx.principal.accountId, { ip: params.addr, band: body.ip_band });
    return SUCCESS;
  }),
];

export const endpoints = [...pools, ...delegations, ...subaccountEndpoints, ...domains];
