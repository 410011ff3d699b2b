import { endpoint } from '../../../platform/feature/index.ts';
import { askOperator, getIp } from './actions.ts';
import * as contracts from './contract.ts';
import { listHeldBack } from './gates.ts';
import { listIps, type SendingIp } from './store.ts';

const viewOf = ({ ip, isShared, hostName, rdns, rdnsState, rdnsFault, boundUntil }: SendingIp, now: Date) => ({
  ip,
  dedicated: !isShared,
  enabled: boundUntil > now,
  host_name: hostName,
  rdns,
  rdns_state: rdnsState,
  rdns_fault: rdnsFault,
});

export const endpoints = [
  endpoint(contracts.listIps, async (ctx, { query }) => {
    const { accountId } = ctx.principal;
    const now = ctx.clock.now();
    const { dedicated: isDedicated, enabled: isEnabled, ...page } = query;
    const { items, total } = await listIps(ctx.db, accountId, { isDedicated, isEnabled, now, ...page });
    const held = await listHeldBack(
      ctx,
      items.map(({ ip }) => ip),
    );
    const isOwn = (one: SendingIp): boolean => one.accountId === accountId;
    return {
      items: items.map(({ ip }) => ip),
      total_count: total,
      assignable_to_pools: items
        .filter((one) => isOwn(one) && one.poolId === null && !one.isShared)
        .map(({ ip }) => ip),
      details: items.map((one) => ({
        ...viewOf(one, now),
        is_on_warmup: held.has(one.ip),
        pool_id: isOwn(one) ? one.poolId : null,
        is_inherited: !isOwn(one) && !one.isShared,
      })),
    };
  }),
  endpoint(contracts.getIp, async (ctx, { params }) =>
    viewOf(await getIp(ctx, ctx.principal.accountId, params.ip), ctx.clock.now()),
  ),
  endpoint(contracts.getRequest, async () => ({ allowed: { dedicated: 0, shared: 0 } })),
  endpoint(contracts.postRequest, async (ctx) => ({ message: askOperator(ctx, ctx.principal.accountId) })),
];
